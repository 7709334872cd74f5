// SPDX-License-Identifier: Apache-2.0
//
// How interceptors come into an ORB: initializers, what ORB_init shows them, and PICurrent.
#include "tenon/interceptors/interceptors.hpp"

#include <atomic>
#include <mutex>
#include <optional>

#include "dynamic/interceptors/ior_interception.hpp"
#include "dynamic/interceptors/own_policies.hpp"
#include "mapping/cpp11/corba/own_policies.hpp"
#include "mapping/cpp11/corba/usage.hpp"
#include "orb/server/serving.hpp"

namespace tenon::dynamic {

namespace {

using InitializerRef = CORBA::object_reference<PortableInterceptor::ORBInitializer>;

struct Initializers {
  std::mutex mutex;
  std::vector<InitializerRef> all;
};

Initializers& initializers() {
  static auto* the_one = new Initializers;  // never destroyed: ORBs may be initialised until the end
  return *the_one;
}

constexpr char chain_key = 0;

/// An attachment of the ORB. When the ORB is destroyed, it calls destroy() of the interceptors.
struct Attached {
  explicit Attached(std::shared_ptr<Chain> its) : chain(std::move(its)) {}
  Attached(const Attached&) = delete;
  Attached& operator=(const Attached&) = delete;
  ~Attached() {
    for (const auto& each : chain->client) static_cast<void>(run_point(false, [&] { each->destroy(); }));
    for (const auto& each : chain->server) static_cast<void>(run_point(false, [&] { each->destroy(); }));
    for (const auto& each : chain->ior) static_cast<void>(run_point(false, [&] { each->destroy(); }));
  }
  const std::shared_ptr<Chain> chain;
};

/// The part of ORB_init that runs initializers, before other code knows the ORB.
void initialise(CORBA::ORB& orb, const std::vector<std::string>& arguments) {
  std::vector<InitializerRef> all;
  {
    Initializers& known = initializers();
    const std::lock_guard lock(known.mutex);
    all = known.all;
  }
  if (all.empty()) return;
  orb::Orb& core = orb._core();
  const auto chain = std::make_shared<Chain>();
  chain->orb_id = core.options().id;
  chain->server_id = core.options().server_id;
  const auto attached = std::make_shared<Attached>(chain);
  core.attachment(&chain_key, [&]() -> std::shared_ptr<void> { return attached; });

  set_policy_makers(core, chain);

  using PortableInterceptor::ORBInitInfo;
  const auto info = CORBA::make_reference<PortableInterceptor::ORBInitInfo_3_1>(orb, arguments, chain);
  struct Over {
    ORBInitInfo& info;
    ~Over() { info._phase(ORBInitInfo::Phase::over); }
  } const over{*info};
  const orb::OrbScope scope(core);
  for (const auto& each : all) each->pre_init(info);
  info->_phase(ORBInitInfo::Phase::post);
  for (const auto& each : all) each->post_init(info);

  chain->ready = true;
  if (!chain->client.empty()) core.set_call_observer(make_call_observer(chain));
  if (!chain->server.empty()) {
    gen::upcalls_watched.fetch_or(gen::upcalls_observed);
    core.set_request_observer(make_request_observer(core, chain));
  }
  if (!chain->ior.empty()) poa::AdapterObserver::set(core, make_adapter_observer(chain));
}

CORBA::object_reference<CORBA::ORB> start_orb(const CORBA::object_reference<CORBA::ORB>& made) {
  return gen::add_initialised(made, [&made] { initialise(*made, made->_core().options().arguments); });
}

template <typename Interceptor>
void add(std::vector<CORBA::object_reference<Interceptor>>& all,
         const CORBA::object_reference<Interceptor>& interceptor) {
  if (!interceptor) gen::raise(errors::nil_interceptor);
  const std::string name = interceptor->name();
  for (const auto& each : all) {
    if (!name.empty() && each->name() == name) throw PortableInterceptor::ORBInitInfo::DuplicateName(name);
  }
  all.push_back(interceptor);
}

/// The one ProcessingModePolicy of an interceptor; LOCAL_AND_REMOTE where there is none.
PortableInterceptor::ProcessingMode mode_in(const CORBA::PolicyList& policies) {
  using PortableInterceptor::ProcessingModePolicy;
  std::optional<PortableInterceptor::ProcessingMode> mode;
  for (const auto& each : policies) {
    if (!each) throw CORBA::PolicyError(CORBA::BAD_POLICY, "a nil policy");
    const std::string name = gen::policy_name(each->policy_type());
    const auto* const own = dynamic_cast<const ProcessingModePolicy*>(each.get());
    if (own == nullptr)
      throw CORBA::PolicyError(CORBA::UNSUPPORTED_POLICY,
                               name + ": a request interceptor has a ProcessingModePolicy or none");
    if (mode) throw CORBA::PolicyError(CORBA::BAD_POLICY, name + ": given twice");
    mode = own->processing_mode();
    if (*mode < PortableInterceptor::LOCAL_AND_REMOTE || *mode > PortableInterceptor::LOCAL_ONLY)
      throw CORBA::PolicyError(CORBA::BAD_POLICY_VALUE,
                               name + ": there is no value " + std::to_string(*mode));
  }
  return mode.value_or(PortableInterceptor::LOCAL_AND_REMOTE);
}

}  // namespace

std::shared_ptr<const void> keep_interceptors(orb::Orb& orb) {
  return orb.attachment(&chain_key, []() -> std::shared_ptr<void> { return nullptr; });
}

std::shared_ptr<const Chain> chain_of(orb::Orb& orb) {
  const auto attached = std::static_pointer_cast<const Attached>(keep_interceptors(orb));
  return attached ? attached->chain : std::make_shared<Chain>();
}

}  // namespace tenon::dynamic

namespace tenon::gen {

CORBA::object_reference<CORBA::Object> pi_current(orb::Orb& orb) {
  return CORBA::make_reference<PortableInterceptor::Current>(dynamic::chain_of(orb));
}

}  // namespace tenon::gen

namespace PortableInterceptor {
inline namespace cpp11 {

using namespace tenon;

void register_orb_initializer(const CORBA::object_reference<ORBInitializer>& init) {
  if (!init) gen::raise(errors::nil_interceptor);
  auto& known = dynamic::initializers();
  const std::lock_guard lock(known.mutex);
  known.all.push_back(init);
  gen::orb_initialiser.store(&dynamic::start_orb, std::memory_order_release);
}

// --- PICurrent ---

Current::Current(std::shared_ptr<const dynamic::Chain> chain) noexcept : chain_(std::move(chain)) {}
Current::~Current() = default;

CORBA::Any Current::get_slot(SlotId id) {
  chain_->check(id);
  if (!chain_->ready) gen::raise(errors::slots_not_ready);
  return dynamic::slot(chain_->thread_slots(), id);
}

void Current::set_slot(SlotId id, const CORBA::Any& data) {
  chain_->check(id);
  if (!chain_->ready) gen::raise(errors::slots_not_ready);
  dynamic::set_slot(chain_->thread_slots(), id, data);
}

// --- ORBInitInfo ---

ORBInitInfo::ORBInitInfo(CORBA::ORB& orb, std::vector<std::string> arguments,
                         std::shared_ptr<dynamic::Chain> chain)
    : orb_(orb), arguments_(std::move(arguments)), chain_(std::move(chain)) {}
ORBInitInfo::~ORBInitInfo() = default;

dynamic::Chain& ORBInitInfo::chain() const {
  if (phase_ == Phase::over) gen::raise(errors::orb_is_initialised);
  return *chain_;
}

std::vector<std::string> ORBInitInfo::arguments() {
  static_cast<void>(chain());
  return arguments_;
}

std::string ORBInitInfo::orb_id() { return chain().orb_id; }

CORBA::object_reference<IOP::CodecFactory> ORBInitInfo::codec_factory() {
  static_cast<void>(chain());
  return CORBA::make_reference<IOP::CodecFactory>();
}

void ORBInitInfo::register_initial_reference(const ObjectId& id,
                                             const CORBA::object_reference<CORBA::Object>& obj) {
  static_cast<void>(chain());
  try {
    orb_.register_initial_reference(id, obj);
  } catch (const CORBA::ORB::InvalidName& exception) {
    throw InvalidName(exception._why());
  }
}

CORBA::object_reference<CORBA::Object> ORBInitInfo::resolve_initial_references(const ObjectId& id) {
  static_cast<void>(chain());
  // Not every reference is there before the initializers have registered theirs (§16.9.2.7).
  if (phase_ == Phase::pre) gen::raise(errors::wrong_interception_point);
  try {
    return orb_.resolve_initial_references(id);
  } catch (const CORBA::ORB::InvalidName& exception) {
    throw InvalidName(exception._why());
  }
}

void ORBInitInfo::add_client_request_interceptor(
    const CORBA::object_reference<ClientRequestInterceptor>& interceptor) {
  dynamic::add(chain().client, interceptor);
}

void ORBInitInfo::add_server_request_interceptor(
    const CORBA::object_reference<ServerRequestInterceptor>& interceptor) {
  dynamic::add(chain().server, interceptor);
}

void ORBInitInfo::add_ior_interceptor(const CORBA::object_reference<IORInterceptor>& interceptor) {
  dynamic::add(chain().ior, interceptor);
}

void ORBInitInfo_3_1::add_client_request_interceptor_with_policy(
    const CORBA::object_reference<ClientRequestInterceptor>& interceptor, const CORBA::PolicyList& policies) {
  const ProcessingMode mode = dynamic::mode_in(policies);
  add_client_request_interceptor(interceptor);
  chain().client_modes.set(chain().client.size() - 1, mode);
}

void ORBInitInfo_3_1::add_server_request_interceptor_with_policy(
    const CORBA::object_reference<ServerRequestInterceptor>& interceptor, const CORBA::PolicyList& policies) {
  const ProcessingMode mode = dynamic::mode_in(policies);
  add_server_request_interceptor(interceptor);
  chain().server_modes.set(chain().server.size() - 1, mode);
}

void ORBInitInfo_3_1::add_ior_interceptor_with_policy(
    const CORBA::object_reference<IORInterceptor>& interceptor, const CORBA::PolicyList& policies) {
  for (const auto& each : policies) {
    throw CORBA::PolicyError(CORBA::UNSUPPORTED_POLICY,
                             (each ? gen::policy_name(each->policy_type()) : std::string("a nil policy")) +
                                 ": an IOR interceptor has no policies");
  }
  add_ior_interceptor(interceptor);
}

SlotId ORBInitInfo::allocate_slot_id() { return chain().slot_count++; }

void ORBInitInfo::register_policy_factory(CORBA::PolicyType type,
                                          const CORBA::object_reference<PolicyFactory>& policy_factory) {
  if (!policy_factory) gen::raise(errors::nil_interceptor);
  if (gen::is_policy_of_orb(type))
    gen::raise_with_reason(errors::duplicate_policy_factory,
                           gen::policy_name(type) + ": the ORB makes these policies itself");
  if (!chain().policy_factories.try_emplace(type, policy_factory).second)
    gen::raise_with_reason(errors::duplicate_policy_factory,
                           gen::policy_name(type) + ": there is a policy factory for it already");
}

}  // namespace cpp11
}  // namespace PortableInterceptor
