// SPDX-License-Identifier: Apache-2.0
#include "tenon/corba/orb.hpp"

#include <algorithm>

#include "base/joined.hpp"
#include "base/log.hpp"
#include "base/memory.hpp"
#include "base/minor_codes.hpp"
#include "cdr/value_memory.hpp"
#include "ior/object_url.hpp"
#include "mapping/cpp11/corba/configuration_check.hpp"
#include "mapping/cpp11/corba/orb_parts.hpp"
#include "mapping/cpp11/corba/usage.hpp"
#include "orb/corbaloc.hpp"
#include "orb/server/serving.hpp"
#include "tenon/event_loop.hpp"

namespace tenon::gen {

/// The ORBs of this process, in the order in which they were made; they stay until destroy(). Linked by themselves. While one is not known
/// yet, only face_of() finds it. Everything with the lock.
struct Orbs {
  using Link = CORBA::object_reference<CORBA::ORB>;

  void add(const Link& orb, bool known) noexcept {
    Link* end = &first;
    while (*end) end = &end->get()->next_;
    orb->known_ = known;
    *end = orb;
  }
  void make_known(CORBA::ORB& orb) noexcept { orb.known_ = true; }
  /// Null: it is not there. The reference that is given must end without the lock.
  Link take(const CORBA::ORB& orb) noexcept {
    Link* at = &first;
    while (*at && at->get() != &orb) at = &at->get()->next_;
    Link taken = std::move(*at);
    if (taken) *at = std::move(taken->next_);
    return taken;
  }
  /// That of this core; null: it has been destroyed.
  CORBA::ORB* of(const orb::Orb& core) const noexcept {
    CORBA::ORB* each = first.get();
    while (each != nullptr && each->core_.get() != &core) each = each->next_.get();
    return each;
  }
  /// That of this id which has not been shut down; null: there is none.
  CORBA::ORB* named(const std::string& id) const noexcept {
    CORBA::ORB* each = first.get();
    while (each != nullptr &&
           !(each->known_ && each->core_->options().id == id && !each->core_->is_shut_down()))
      each = each->next_.get();
    return each;
  }
  /// Null: there is none.
  CORBA::ORB* oldest() const noexcept {
    CORBA::ORB* each = first.get();
    while (each != nullptr && !each->known_) each = each->next_.get();
    return each;
  }

  std::mutex mutex;
  Link first;
};

namespace {

Orbs& all_orbs() {
  static auto* the_one = new Orbs;  // never destroyed: threads may still end calls while the process exits
  return *the_one;
}

}  // namespace
}  // namespace tenon::gen

namespace CORBA {
inline namespace cpp11 {

namespace {

using tenon::LogLevel;
using Reference = object_reference<Object>;

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
  why.append(
      "; others come with parts (tenon/parts.hpp), as DynAnyFactory with dynamic, and RootPOA where the "
      "program "
      "narrows it to PortableServer::POA");
  if (core_->parts().naming == nullptr) return why;
  return tenon::worded(
      "%; URLs name others: Configuration::initial_references, -ORBInitRef %=URL, -ORBDefaultInitRef URL",
      {why, name});
}

const ORB::Initial* ORB::find(const std::string& name) const {
  const auto found = std::ranges::find(initial_, name, &Initial::name);
  return found == initial_.end() ? nullptr : &*found;
}

ORB::ObjectIdList ORB::list_initial_services() const {
  const auto& made = core_->parts().initial_references;
  const auto& configured = core_->options().initial_references;
  std::lock_guard lock(mutex_);
  ObjectIdList names;
  // All at once, since growth would be code of its own.
  if (!tenon::cdr::reserve(names, made.size() + configured.size() + initial_.size()))
    tenon::gen::raise(tenon::errors::out_of_memory);
  const auto add = [&names](std::string_view name) {
    if (std::ranges::find(names, name) != names.end()) return;
    tenon::cdr::emplace(names, name);
    for (std::size_t at = names.size() - 1; at != 0 && names[at] < names[at - 1]; --at)
      names[at].swap(names[at - 1]);
  };
  for (const auto* each : made) {
    if (each != nullptr) add(each->name);
  }
  for (const auto& [name, url] : configured) add(name);
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
    if (each != nullptr && each->name == name) return each->make(*core_);
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
  // From here on the list no longer holds the ORB; only references that the program still has do.
  object_reference<ORB> held;
  {
    std::lock_guard lock(mutex_);
    initial_.clear();
  }
  tenon::gen::Orbs& orbs = tenon::gen::all_orbs();
  std::lock_guard lock(orbs.mutex);
  held = orbs.take(*this);
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

void prepare_memory() {
  memory::set_aside();
  if (memory::is_exhausted()) raise(memory::shortage());
}

}  // namespace gen

CORBA::object_reference<CORBA::ORB> gen::make_orb(Configuration&& options, orb::Parts&& parts) {
  std::string why = gen::wrong_setting(options);
  if (why.empty()) why = orb::missing(options, parts);
  if (!why.empty()) CORBA::refuse(errors::bad_option, why);
  OrbInitialiser* const initialise = gen::orb_initialiser.load(std::memory_order_acquire);
  CORBA::object_reference<CORBA::ORB> made;
  {
    Orbs& orbs = all_orbs();
    std::lock_guard lock(orbs.mutex);
    if (CORBA::ORB* const found = orbs.named(options.id)) return CORBA::object_reference<CORBA::ORB>(found);
    if (parts.choose_protocols != nullptr && !parts.choose_protocols(options, parts, why))
      CORBA::refuse(errors::bad_option, why);
    if (parts.take_memory != nullptr) {
      if (const Status taken = parts.take_memory(options, why); !taken) CORBA::refuse(taken.error(), why);
    }
    gen::prepare_memory();
    made = CORBA::make_reference<CORBA::ORB>(make_ref<orb::Orb>(std::move(options), std::move(parts)));
    if (initialise == nullptr) orbs.add(made, true);
  }
  // Initializers are code of the application, so no lock is held.
  return initialise == nullptr ? made : initialise(made);
}

CORBA::object_reference<CORBA::ORB> gen::add_initialised(const CORBA::object_reference<CORBA::ORB>& made,
                                                         FunctionRef<void()> initialise) {
  struct Added {
    explicit Added(const CORBA::object_reference<CORBA::ORB>& what) : orb(*what) {
      std::lock_guard lock(orbs.mutex);
      orbs.add(what, false);
    }
    ~Added() {
      CORBA::object_reference<CORBA::ORB> held;  // declared before the lock: ends after it
      std::lock_guard lock(orbs.mutex);
      if (!stays) held = orbs.take(orb);
    }
    Added(const Added&) = delete;
    Added& operator=(const Added&) = delete;

    CORBA::ORB& orb;
    Orbs& orbs = all_orbs();
    bool stays = false;
  } added(made);
  initialise();
  std::lock_guard lock(added.orbs.mutex);
  if (CORBA::ORB* const found = added.orbs.named(made->_core().options().id))
    return CORBA::object_reference<CORBA::ORB>(found);
  added.orbs.make_known(*made);
  added.stays = true;
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
  Orbs& orbs = all_orbs();
  std::lock_guard lock(orbs.mutex);
  CORBA::ORB* const found = orbs.of(orb);
  if (found == nullptr) raise(errors::orb_destroyed);
  return CORBA::object_reference<CORBA::ORB>(found);
}

void add_initial_reference(orb::Parts& parts, const InitialReference& reference) {
  for (const InitialReference*& each : parts.initial_references) {
    if (each == nullptr) each = &reference;
    if (each == &reference) return;
  }
}

namespace {

/// Null where there is none.
orb::Orb* find_current_orb() {
  if (orb::Orb* current = orb::OrbScope::current()) return current;
  Orbs& orbs = all_orbs();
  std::lock_guard lock(orbs.mutex);
  CORBA::ORB* const oldest = orbs.oldest();
  return oldest != nullptr ? &oldest->_core() : nullptr;
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
