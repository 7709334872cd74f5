// SPDX-License-Identifier: Apache-2.0
#include "tenon/corba/orb.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <map>

#include "base/error_text.hpp"
#include "base/log.hpp"
#include "base/minor_codes.hpp"
#include "ior/object_url.hpp"
#include "mapping/cpp11/calls/call.hpp"
#include "mapping/cpp11/corba/orb_options.hpp"
#include "mapping/cpp11/corba/resolve_name.hpp"
#include "mapping/cpp11/corba/usage.hpp"
#include "orb/server/serving.hpp"
#include "tenon/corba/call_policies.hpp"
#include "tenon/event_loop.hpp"
#include "tenon/portable_server/poa.hpp"

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

[[noreturn]] void refuse(tenon::Error error, const std::string& why) {
  tenon::log(LogLevel::error, "orb", why);
  tenon::gen::raise_with_reason(error, why);
}

/// Runs `make`; an exception says which option led there. Where several options lead to one another, it is the one whose URL is wrong.
template <typename Make>
Reference naming_option(const std::string& option, Make make) {
  try {
    return make();
  } catch (SystemException& exception) {
    const std::string why(exception._reason());
    if (!why.starts_with("-ORB"))
      exception._reason(option + ": " + (why.empty() ? tenon::text(exception._error()) : why));
    throw;
  }
}

std::string read_file(const std::string& path) {
  std::FILE* file = std::fopen(path.c_str(), "re");
  if (file == nullptr)
    refuse(tenon::errors::url_bad_address,
           "file:" + path + ": cannot be read: " + tenon::os_error_text(errno));
  std::string text(1 << 16, '\0');
  text.resize(std::fread(text.data(), 1, text.size(), file));
  const int failure = std::ferror(file) != 0 ? errno : 0;
  std::fclose(file);
  if (failure != 0)
    refuse(tenon::errors::url_bad_address,
           "file:" + path + ": cannot be read: " + tenon::os_error_text(failure));
  while (!text.empty() && static_cast<unsigned char>(text.back()) <= ' ') text.pop_back();
  if (text.empty())
    refuse(tenon::errors::url_bad_address, "file:" + path + ": is empty; it should have a reference");
  return text;
}

/// Counts how many URLs this thread has followed from one to the next, by files and initial references. Too many are taken for a circle.
class UrlScope {
 public:
  UrlScope() noexcept { ++deep; }
  ~UrlScope() { --deep; }
  UrlScope(const UrlScope&) = delete;
  UrlScope& operator=(const UrlScope&) = delete;
  bool too_deep() const noexcept { return deep > 16; }

 private:
  static constinit thread_local unsigned deep;
};
constinit thread_local unsigned UrlScope::deep = 0;

bool takes_prefix(std::string_view text, std::string_view prefix) {
  return text.size() >= prefix.size() &&
         std::equal(prefix.begin(), prefix.end(), text.begin(), [](char a, char b) {
           return a == (b >= 'A' && b <= 'Z' ? static_cast<char>(b - 'A' + 'a') : b);
         });
}

}  // namespace

std::string ORB::object_to_string(const object_reference<Object>& object) const {
  if (!object) return tenon::ior::to_ior_text({});
  if (!object->_reference()) tenon::gen::raise(tenon::errors::local_object);
  if (core_->options().references_as_urls) {
    std::string url = tenon::orb::to_url(*object->_reference());
    if (!url.empty()) return url;
  }
  return tenon::ior::to_ior_text(object->_reference()->ior());
}

object_reference<Object> ORB::string_to_object(const std::string& text) {
  if (const tenon::Status usable = core_->usable(); !usable) tenon::gen::raise(usable.error());
  const UrlScope scope;
  if (scope.too_deep()) refuse(tenon::errors::url_other, text + ": leads back to itself");
  if (takes_prefix(text, "file:")) {
    std::string path = text.substr(5);
    if (path.starts_with("//")) path.erase(0, 2);
    return string_to_object(read_file(path));
  }
  if (takes_prefix(text, "corbaname:") || takes_prefix(text, "corbaloc:rir:")) return from_name_url(text);
  std::string why;
  auto reference = core_->from_url(text, why);
  if (!reference) refuse(reference.error(), why);
  if ((*reference)->ior().nil()) return nullptr;
  return tenon::gen::make_stub<Object>(std::move(*reference));
}

/// The initial reference that a URL names.
object_reference<Object> ORB::initial_reference(const std::string& name) {
  try {
    return resolve_initial_references(name);
  } catch (const InvalidName&) {
    refuse(tenon::errors::url_other, "rir: there is no initial reference '" + name + "'; -ORBInitRef " +
                                         name + "=URL or register_initial_reference() makes one");
  }
}

/// corbaname: and rir: need initial references, which only the mapping has.
object_reference<Object> ORB::from_name_url(const std::string& text) {
  auto url = tenon::ior::parse_object_url(text);
  if (!url) refuse(tenon::errors::url_other, url.error().text);
  Reference start;
  if (url->initial_reference()) {
    const std::string name(url->key.begin(), url->key.end());
    start = initial_reference(name.empty() ? "NameService" : name);
  } else {
    tenon::ior::ObjectUrl context = *url;
    context.kind = tenon::ior::UrlKind::corbaloc;
    context.name.clear();
    start = string_to_object(tenon::ior::to_text(context));
  }
  if (url->kind != tenon::ior::UrlKind::corbaname || url->name.empty() || !start) return start;
  auto name = tenon::ior::parse_name(url->name);
  if (!name) refuse(tenon::errors::url_bad_schema_specific, name.error().text);
  return tenon::gen::resolve_name(*start, *name);
}

ORB::InvalidName::InvalidName(const std::string& why)
    : why_(why), text_(std::string(_static_id) + ": " + why) {}

const char* ORB::InvalidName::what() const noexcept {
  return text_.empty() ? UserException::what() : text_.c_str();
}

/// The text of the exception for a name that has no initial reference.
std::string ORB::no_such_name(const ObjectId& name) const {
  if (name.empty()) return "the name is empty";
  std::string why = "there is no initial reference '" + name + "'; there are";
  std::string before = " ";
  for (const std::string& known : list_initial_services()) {
    why += before + known;
    before = ", ";
  }
  return why + "; others are named by -ORBInitRef " + name + "=URL or -ORBDefaultInitRef URL";
}

const ORB::Initial* ORB::find(const std::string& name) const {
  const auto found = std::ranges::find(initial_, name, &Initial::name);
  return found == initial_.end() ? nullptr : &*found;
}

ORB::ObjectIdList ORB::list_initial_services() const {
  ObjectIdList names{"RootPOA", "POACurrent", "ORBPolicyManager", "PolicyCurrent"};
  if (tenon::gen::dyn_any_factory != nullptr) names.push_back("DynAnyFactory");
  if (tenon::gen::codec_factory != nullptr) names.push_back("CodecFactory");
  if (tenon::gen::pi_current != nullptr) names.push_back("PICurrent");
  for (const auto& [name, url] : core_->options().initial_references) names.push_back(name);
  std::lock_guard lock(mutex_);
  for (const Initial& each : initial_) names.push_back(each.name);
  std::ranges::sort(names);
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

object_reference<Object> ORB::resolve_initial_references(const ObjectId& name) {
  if (const tenon::Status usable = core_->usable(); !usable) tenon::gen::raise(usable.error());
  {
    std::lock_guard lock(mutex_);
    if (const Initial* known = find(name)) return known->object;
  }
  const auto& configured = core_->options().initial_references;
  // The last one counts, so that a later option overrides an earlier one.
  const auto url = std::find_if(configured.rbegin(), configured.rend(),
                                [&](const auto& each) { return each.first == name; });
  if (url != configured.rend())
    return naming_option("-ORBInitRef " + name + "=" + url->second,
                         [&] { return string_to_object(url->second); });
  if (name == "RootPOA") return tenon::gen::root_poa(*core_);
  if (name == "POACurrent") return tenon::gen::poa_current(*core_);
  if (name == "ORBPolicyManager") return tenon::gen::policy_manager(*core_);
  if (name == "PolicyCurrent") return tenon::gen::policy_current(*core_);
  if (name == "DynAnyFactory" && tenon::gen::dyn_any_factory != nullptr) return tenon::gen::dyn_any_factory();
  if (name == "CodecFactory" && tenon::gen::codec_factory != nullptr) return tenon::gen::codec_factory();
  if (name == "PICurrent" && tenon::gen::pi_current != nullptr) return tenon::gen::pi_current(*core_);
  const std::string& base = core_->options().default_initial_reference;
  if (base.empty() || name.empty()) throw InvalidName(no_such_name(name));
  const std::string made = tenon::gen::default_initial_url(base, name);
  return naming_option("-ORBDefaultInitRef " + base + " gives " + made,
                       [&] { return string_to_object(made); });
}

void ORB::register_initial_reference(const ObjectId& name, const object_reference<Object>& object) {
  if (name.empty()) throw InvalidName(no_such_name(name));
  if (!object) tenon::gen::raise(tenon::errors::nil_initial_reference);
  std::lock_guard lock(mutex_);
  const auto& configured = core_->options().initial_references;
  const bool taken = find(name) != nullptr || name == "RootPOA" || name == "POACurrent" ||
                     std::ranges::any_of(configured, [&](const auto& each) { return each.first == name; });
  if (taken) throw InvalidName("the name '" + name + "' is taken");
  initial_.push_back({name, object});
}

void ORB::run() {
  if (const tenon::Status usable = core_->usable(); !usable) tenon::gen::raise(usable.error());
  core_->run();
}

void ORB::shutdown(bool wait_for_completion) {
  const tenon::Status done = core_->shutdown(wait_for_completion);
  if (!done) tenon::gen::raise(done.error());
}

void ORB::destroy() {
  const tenon::Status done = core_->destroy();
  if (!done) tenon::gen::raise(done.error());
  if (std::string why; !tenon::gen::write_usage(why)) {
    tenon::log(tenon::LogLevel::warning, "usage", why);
  }
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
  if (const tenon::Status usable = core_->usable(); !usable) tenon::gen::raise(usable.error());
  return core_->work_pending();
}

void ORB::perform_work() {
  if (const tenon::Status usable = core_->usable(); !usable) tenon::gen::raise(usable.error());
  core_->perform_work();
}

bool ORB::get_service_information(ServiceType, ServiceInformation& service_information) const {
  if (const tenon::Status usable = core_->usable(); !usable) tenon::gen::raise(usable.error());
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

namespace {

/// A later ORB_init gives the ORB of that id as it is (CORBA 3.4 part 1 §8.5.1: its other parameters "may be considered").
void warn_of_lost_options(const CORBA::ORB& orb, const std::vector<std::string>& wanted) {
  const std::vector<std::string>& had = orb._core().options().given;
  std::string lost;
  for (const std::string& each : wanted) {
    if (std::ranges::find(had, each) == had.end()) lost += (lost.empty() ? "" : ", ") + each;
  }
  if (lost.empty()) return;
  advise("orb", "ORB_init: there is an ORB '" + orb.id() +
                    "' already, so these options of the later call have no effect: " + lost +
                    "; give them to the first call, or another -ORBid to this one");
}

}  // namespace

namespace gen {
namespace {
/// Of the attachment by which an ORB finds the object that stands for it: a weak reference.
constexpr char face_key = 0;
}  // namespace
}  // namespace gen

CORBA::object_reference<CORBA::ORB> init_orb(Configuration configuration,
                                             std::initializer_list<orb::Part> parts) {
  orb::Parts made;
  for (const orb::Part part : parts) part(made);
  return init_orb(std::move(configuration), std::move(made));
}

CORBA::object_reference<CORBA::ORB> init_orb(Configuration options, orb::Parts parts) {
  for (const orb::Protocol& each : parts.protocols) {
    if (!each.transport || !each.messaging)
      CORBA::refuse(errors::bad_option,
                    "a protocol has a transport and a messaging; one that was given lacks a plug-in");
  }
  CORBA::Registry& orbs = CORBA::registry();
  std::unique_lock lock(orbs.mutex);
  const auto known = [&orbs](const std::string& id) -> CORBA::object_reference<CORBA::ORB> {
    for (const auto& each : orbs.orbs) {
      if (each->id() == id && !each->_core().is_shut_down()) return each;
    }
    return nullptr;
  };
  const std::vector<std::string> wanted = options.given;
  const std::vector<std::string> arguments = options.arguments;
  if (auto found = known(options.id)) {
    lock.unlock();
    warn_of_lost_options(*found, wanted);
    return found;
  }
  auto core = make_ref<orb::Orb>(std::move(options), std::move(parts));
  auto made = CORBA::make_reference<CORBA::ORB>(std::move(core));
  made->_core().attachment(&gen::face_key, [&]() -> std::shared_ptr<void> {
    return std::make_shared<CORBA::weak_object_reference<CORBA::ORB>>(made);
  });
  if (auto* initialise = gen::orb_initialiser.load(std::memory_order_acquire)) {
    // Initializers are code of the application, so no lock is held. If another thread makes an ORB of that id meanwhile, that one counts.
    lock.unlock();
    initialise(*made, arguments);
    lock.lock();
    if (auto found = known(made->id())) {
      lock.unlock();
      warn_of_lost_options(*found, wanted);
      return found;
    }
  }
  orbs.orbs.push_back(made);
  return made;
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

orb::Orb& current_orb() {
  if (orb::Orb* current = orb::OrbScope::current()) return *current;
  auto& orbs = CORBA::registry();
  std::lock_guard lock(orbs.mutex);
  if (orbs.orbs.empty()) raise(errors::no_orb);
  return orbs.orbs.front()->_core();
}

}  // namespace tenon::gen
