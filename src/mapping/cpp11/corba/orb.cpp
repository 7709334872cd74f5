// SPDX-License-Identifier: Apache-2.0
#include "tenon/corba/orb.hpp"

#include <algorithm>

#include "base/joined.hpp"
#include "base/log.hpp"
#include "base/memory.hpp"
#include "base/minor_codes.hpp"
#include "cdr/char_sets.hpp"
#include "ior/object_url.hpp"
#include "mapping/cpp11/corba/configuration_check.hpp"
#include "mapping/cpp11/corba/orb_parts.hpp"
#include "mapping/cpp11/corba/usage.hpp"
#include "orb/corbaloc.hpp"
#include "orb/server/serving.hpp"
#include "tenon/event_loop.hpp"

namespace CORBA {
inline namespace cpp11 {

namespace {

using tenon::LogLevel;
using Reference = object_reference<Object>;

/// The ORBs of this process by id, in the order in which they were made. They stay until destroy().
struct Registry {
  std::mutex mutex;
  std::vector<object_reference<ORB>> orbs;
};

Registry& registry() {
  static auto* the_one =
      new Registry;  // never destroyed: threads may still end calls while the process exits
  return *the_one;
}

[[noreturn]] void refuse(tenon::Error error, std::string_view why) {
  std::string reason(why);
  tenon::log(LogLevel::error, "orb", reason);
  tenon::gen::raise_with_reason(error, std::move(reason));
}

void usable_or_raise(const tenon::orb::Orb& core) {
  if (const tenon::Status usable = core.usable(); !usable) tenon::gen::raise(usable.error());
}

constexpr char without_urls[] =
    "this ORB's start-up names no part for such a URL; IOR: needs none, corbaloc: tenon::parts::corbaloc, "
    "and "
    "corbaname:, corbaloc:rir: and file: tenon::parts::naming";

}  // namespace

ORB::~ORB() {
  if (auto* const forget = tenon::gen::forget_of_orb.load(std::memory_order_acquire)) forget(*core_);
}

std::string ORB::object_to_string(const object_reference<Object>& object) const {
  if (!object) return tenon::ior::to_ior_text({});
  if (!object->_reference()) tenon::gen::raise(tenon::errors::local_object);
  if (const auto* urls = core_->parts().corbaloc; urls != nullptr && core_->options().references_as_urls) {
    std::string url = urls->write(*object->_reference());
    if (!url.empty()) return url;
  }
  std::string text = tenon::ior::to_ior_text(object->_reference()->ior());
  if (text.empty()) tenon::gen::raise(tenon::errors::out_of_memory);
  return text;
}

object_reference<Object> ORB::string_to_object(const std::string& text) {
  usable_or_raise(*core_);
  const tenon::orb::Parts& parts = core_->parts();
  if (Reference found; parts.naming != nullptr && parts.naming->read(*this, text, found)) return found;
  std::string why;
  if (tenon::ior::has_scheme(text, "ior:")) {
    auto ior = tenon::ior::parse_ior(text);
    if (!ior) refuse(ior.error().as(tenon::errors::url_other), ior.error().text);
    if (ior->nil()) return nullptr;
    return tenon::gen::make_stub<Object>(core_->expected_reference(std::move(*ior)));
  }
  if (parts.corbaloc == nullptr || (parts.naming == nullptr && !tenon::ior::has_scheme(text, "corbaloc:")))
    refuse(tenon::errors::url_bad_scheme, without_urls);
  auto read = parts.corbaloc->read(*core_, text, why);
  if (!read) refuse(read.error(), why);
  return tenon::gen::make_stub<Object>(*std::move(read));
}

ORB::InvalidName::InvalidName(const std::string& why)
    : why_(why), text_(tenon::worded("%: %", {_static_id, why})) {}

const char* ORB::InvalidName::what() const noexcept {
  return text_.empty() ? UserException::what() : text_.c_str();
}

/// The text of the exception for a name that has no initial reference.
std::string ORB::no_such_name(const ObjectId& name) const {
  if (name.empty()) return "the name is empty";
  std::string why = tenon::worded("there is no initial reference '%'; there are", {name});
  const char* before = " ";
  for (const std::string& known : list_initial_services()) {
    why.append(before).append(known);
    before = ", ";
  }
  if (*before == ' ') why.append(" none");
  if (core_->parts().naming == nullptr)
    return why.append(
        "; others come with parts that this program's start-up does not name (tenon/parts.hpp)");
  return tenon::worded("%; others are named by -ORBInitRef %=URL or -ORBDefaultInitRef URL", {why, name});
}

const ORB::Initial* ORB::find(const std::string& name) const {
  const auto found = std::ranges::find(initial_, name, &Initial::name);
  return found == initial_.end() ? nullptr : &*found;
}

ORB::ObjectIdList ORB::list_initial_services() const {
  ObjectIdList names;
  const auto add = [&names](std::string_view name) {
    if (std::ranges::find(names, name) != names.end()) return;
    names.emplace_back(name);
    for (std::size_t at = names.size() - 1; at != 0 && names[at] < names[at - 1]; --at)
      names[at].swap(names[at - 1]);
  };
  for (const auto* each : core_->parts().initial_references) add(each->name);
  for (const auto& [name, url] : core_->options().initial_references) add(name);
  std::lock_guard lock(mutex_);
  for (const Initial& each : initial_) add(each.name);
  return names;
}

object_reference<Object> ORB::resolve_initial_references(const ObjectId& name) {
  usable_or_raise(*core_);
  {
    std::lock_guard lock(mutex_);
    if (const Initial* known = find(name)) return known->object;
  }
  const tenon::orb::Parts& parts = core_->parts();
  Reference found;
  if (parts.naming != nullptr && parts.naming->configured(*this, name, found)) return found;
  for (const auto* each : parts.initial_references) {
    if (each->name == name) return each->make(*core_);
  }
  if (parts.naming != nullptr && parts.naming->by_default(*this, name, found)) return found;
  throw InvalidName(no_such_name(name));
}

void ORB::register_initial_reference(const ObjectId& name, const object_reference<Object>& object) {
  if (name.empty()) throw InvalidName(no_such_name(name));
  if (!object) tenon::gen::raise(tenon::errors::nil_initial_reference);
  std::lock_guard lock(mutex_);
  const auto& configured = core_->options().initial_references;
  const bool taken = find(name) != nullptr || name == "RootPOA" || name == "POACurrent" ||
                     std::ranges::any_of(configured, [&](const auto& each) { return each.first == name; });
  if (taken) throw InvalidName(tenon::worded("the name '%' is taken", {name}));
  initial_.push_back({name, object});
}

void ORB::run() {
  usable_or_raise(*core_);
  core_->run();
}

void ORB::shutdown(bool wait_for_completion) {
  const tenon::Status done = core_->shutdown(wait_for_completion);
  if (!done) tenon::gen::raise(done.error());
}

void ORB::destroy() {
  const tenon::Status done = core_->destroy();
  if (!done) tenon::gen::raise(done.error());
  if (const auto* usage = tenon::gen::usage_counting.load(std::memory_order_acquire)) usage->write();
  // From here on the registry no longer holds the ORB; only references that the program still has do.
  object_reference<ORB> held;
  {
    std::lock_guard lock(mutex_);
    initial_.clear();
  }
  Registry& orbs = registry();
  std::lock_guard lock(orbs.mutex);
  const auto self = std::ranges::find_if(orbs.orbs, [this](const auto& each) { return each.get() == this; });
  if (self == orbs.orbs.end()) return;
  held = std::move(*self);
  orbs.orbs.erase(self);
}

bool ORB::work_pending() const {
  usable_or_raise(*core_);
  return core_->work_pending();
}

void ORB::perform_work() {
  usable_or_raise(*core_);
  core_->perform_work();
}

bool ORB::get_service_information(ServiceType, ServiceInformation& service_information) const {
  usable_or_raise(*core_);
  service_information = {};
  return false;
}

std::vector<std::string> ORB::_endpoints() {
  std::string why;
  if (!core_->listen(why)) refuse(tenon::errors::cannot_listen, why);
  return core_->endpoints();
}

}  // namespace cpp11
}  // namespace CORBA

namespace tenon {

namespace gen {
namespace {
/// Of the attachment by which an ORB finds the object that stands for it: a weak reference.
constexpr char face_key = 0;
}  // namespace

void prepare_memory() {
  memory::set_aside();
  if (memory::is_exhausted()) raise(memory::shortage());
}

}  // namespace gen

namespace {

/// Which setting is about a part that the ORB lacks; empty: none.
std::string missing_part(const Configuration& options, const orb::Parts& parts) {
  const char* member = nullptr;
  const char* part = "naming";
  if (parts.naming == nullptr) {
    if (!options.initial_references.empty()) member = "initial_references";
    if (!options.default_initial_reference.empty()) member = "default_initial_reference";
  }
  if (parts.corbaloc == nullptr && options.references_as_urls) {
    member = "references_as_urls";
    part = "corbaloc";
  }
  if (parts.take_memory == nullptr && options.limits.any()) {
    member = "limits";
    part = "known_memory";
  }
  if (member == nullptr) return {};
  return worded("Configuration::% wants tenon::parts::%, which this program's start-up does not name",
                {member, part});
}

/// The ORB of that id that has not been shut down; null: there is none. With the registry's lock.
CORBA::object_reference<CORBA::ORB> find_known(const CORBA::Registry& orbs, const std::string& id) {
  for (const auto& each : orbs.orbs) {
    if (each->id() == id && !each->_core().is_shut_down()) return each;
  }
  return nullptr;
}

/// Why there can be no ORB of these settings and parts; null: there can. `room` has the text if it had to be put together.
const char* wrong_start(const Configuration& options, const orb::Parts& parts, std::string& room) {
  for (const orb::Protocol& each : parts.protocols) {
    if (!each.transport || !each.messaging)
      return "a protocol has a transport and a messaging; one that was given lacks a plug-in";
  }
  room = gen::wrong_setting(options);
  if (room.empty()) room = orb::missing(options, parts);
  if (!room.empty()) return room.c_str();
  for (const cdr::CodeSet set : {options.messaging.native.chars, options.messaging.unstated_chars}) {
    if (cdr::char_set(set) == nullptr)
      return "a code set beside UTF-8 and ISO 8859-1 wants tenon::parts::code_sets, which this program's "
             "start-up does not name";
  }
  room = missing_part(options, parts);
  return room.empty() ? nullptr : room.c_str();
}

}  // namespace

CORBA::object_reference<CORBA::ORB> gen::make_orb(Configuration&& options, orb::Parts&& parts) {
  std::string why;
  if (const char* const wrong = wrong_start(options, parts, why)) CORBA::refuse(errors::bad_option, wrong);
  CORBA::Registry& orbs = CORBA::registry();
  std::unique_lock lock(orbs.mutex);
  if (auto found = find_known(orbs, options.id)) return found;
  if (parts.choose_protocols != nullptr && !parts.choose_protocols(options, parts, why))
    CORBA::refuse(errors::bad_option, why);
  if (parts.take_memory != nullptr) {
    if (const Status taken = parts.take_memory(options, why); !taken) CORBA::refuse(taken.error(), why);
  }
  gen::prepare_memory();
  auto core = make_ref<orb::Orb>(std::move(options), std::move(parts));
  auto made = CORBA::make_reference<CORBA::ORB>(std::move(core));
  const auto face = std::make_shared<CORBA::weak_object_reference<CORBA::ORB>>(made);
  made->_core().attachment(&gen::face_key, [&]() -> std::shared_ptr<void> { return face; });
  if (auto* initialise = gen::orb_initialiser.load(std::memory_order_acquire)) {
    // Initializers are code of the application, so no lock is held. If another thread makes an ORB of that id meanwhile, that one counts.
    lock.unlock();
    initialise(*made, made->_core().options().arguments);
    lock.lock();
    if (auto found = find_known(orbs, made->id())) return found;
  }
  orbs.orbs.push_back(made);
  return made;
}

CORBA::object_reference<CORBA::ORB> init_orb(Configuration configuration,
                                             std::initializer_list<orb::Part> parts) {
  gen::prepare_memory();
  orb::Parts made;
  for (const orb::Part part : parts) part(made);
  return gen::make_orb(std::move(configuration), std::move(made));
}

CORBA::object_reference<CORBA::ORB> init_orb(Configuration options, orb::Parts parts) {
  return gen::make_orb(std::move(options), std::move(parts));
}

int work_descriptor(CORBA::ORB& orb) {
  if (const Status usable = orb._core().usable(); !usable) gen::raise(usable.error());
  const int descriptor = orb._core().work_descriptor();
  if (descriptor < 0) gen::raise(errors::out_of_descriptors);
  return descriptor;
}

}  // namespace tenon

namespace tenon::gen {

CORBA::object_reference<CORBA::ORB> face_of(orb::Orb& orb) {
  using Weak = CORBA::weak_object_reference<CORBA::ORB>;
  const auto attached = std::static_pointer_cast<Weak>(
      orb.attachment(&face_key, []() -> std::shared_ptr<void> { return nullptr; }));
  CORBA::object_reference<CORBA::ORB> found = attached ? attached->lock() : nullptr;
  if (!found) raise(errors::orb_destroyed);
  return found;
}

void add_initial_reference(orb::Parts& parts, const InitialReference& reference) {
  auto& all = parts.initial_references;
  if (std::ranges::find(all, &reference) == all.end()) all.push_back(&reference);
}

namespace {

/// Null where there is none.
orb::Orb* find_current_orb() {
  if (orb::Orb* current = orb::OrbScope::current()) return current;
  auto& orbs = CORBA::registry();
  std::lock_guard lock(orbs.mutex);
  return orbs.orbs.empty() ? nullptr : &orbs.orbs.front()->_core();
}

}  // namespace

orb::Orb& current_orb() {
  orb::Orb* const current = find_current_orb();
  if (current == nullptr) raise(errors::no_orb);
  return *current;
}

CORBA::object_reference<CORBA::Object> interface_def(std::string_view repository_id) {
  orb::Orb* const current = find_current_orb();
  if (current == nullptr || current->parts().interfaces == nullptr)
    raise_with_reason(errors::no_interface_repository,
                      "the server's start-up does not name tenon::parts::interface_repository");
  return current->parts().interfaces->interface_def(repository_id);
}

}  // namespace tenon::gen
