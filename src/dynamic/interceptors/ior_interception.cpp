// SPDX-License-Identifier: Apache-2.0
//
// Calls the IOR interceptors of a chain, with what they may ask about an adapter.
#include "dynamic/interceptors/ior_interception.hpp"

#include "poa/poa.hpp"
#include "tenon/portable_server/poa_policies.hpp"

namespace tenon::dynamic {

using PortableInterceptor::AdapterName;

struct NewAdapter {
  const poa::Policies& policies;
  const poa::Manager& manager;
  std::vector<orb::ExtraComponent>& components;
  bool takes_components;
};

AdapterName adapter_name(std::string_view path) {
  AdapterName names{"RootPOA"};
  while (!path.empty()) {
    const std::size_t end = path.find('\0');
    names.emplace_back(path.substr(0, end));
    path.remove_prefix(end + 1);
  }
  return names;
}

CORBA::object_reference<CORBA::Policy> policy_of(const poa::Policies& all, CORBA::PolicyType type) {
  namespace ps = PortableServer;
  const auto made = []<typename Policy, typename Value>(const Policy*, Value value) {
    return CORBA::object_reference<CORBA::Policy>(CORBA::make_reference<Policy>(value));
  };
#define TENON_POLICY(id, name, member)                 \
  case ps::id:                                         \
    return made(static_cast<const ps::name*>(nullptr), \
                static_cast<ps::name##Value>(static_cast<std::uint32_t>(all.member)))
  switch (type) {
    TENON_POLICY(THREAD_POLICY_ID, ThreadPolicy, thread);
    TENON_POLICY(LIFESPAN_POLICY_ID, LifespanPolicy, lifespan);
    TENON_POLICY(ID_UNIQUENESS_POLICY_ID, IdUniquenessPolicy, uniqueness);
    TENON_POLICY(ID_ASSIGNMENT_POLICY_ID, IdAssignmentPolicy, assignment);
    TENON_POLICY(IMPLICIT_ACTIVATION_POLICY_ID, ImplicitActivationPolicy, activation);
    TENON_POLICY(SERVANT_RETENTION_POLICY_ID, ServantRetentionPolicy, retention);
    TENON_POLICY(REQUEST_PROCESSING_POLICY_ID, RequestProcessingPolicy, processing);
    default: gen::raise(errors::no_policy_factory);
  }
#undef TENON_POLICY
}

namespace {

using PortableInterceptor::IORInfo;

class Observer final : public poa::AdapterObserver {
 public:
  explicit Observer(std::shared_ptr<const Chain> chain) : chain_(std::move(chain)) {}

  Error creating(std::string_view, const poa::Policies& policies, const poa::Manager& manager,
                 std::vector<orb::ExtraComponent>& components) override {
    NewAdapter adapter{policies, manager, components, true};
    const auto info = CORBA::make_reference<IORInfo>(adapter);
    struct Over {
      IORInfo& info;
      ~Over() { info._over(); }
    } const over{*info};
    for (const auto& each : chain_->ior)
      static_cast<void>(run_point(false, [&] { each->establish_components(info); }));
    adapter.takes_components = false;
    for (const auto& each : chain_->ior) {
      if (!run_point(false, [&] { each->components_established(info); }).goes_on())
        return errors::components_not_established;
    }
    return {};
  }

  void manager_changed(const poa::Manager& manager, poa::ManagerState state) override {
    for (const auto& each : chain_->ior) {
      static_cast<void>(run_point(false, [&] {
        each->adapter_manager_state_changed(manager.number(),
                                            static_cast<PortableInterceptor::AdapterState>(state));
      }));
    }
  }

  void destroyed(std::string_view path) override {
    const PortableInterceptor::ObjectReferenceTemplateSeq templates{
        CORBA::make_reference<PortableInterceptor::ObjectReferenceTemplate>(chain_->server_id, chain_->orb_id,
                                                                            adapter_name(path))};
    for (const auto& each : chain_->ior) {
      static_cast<void>(run_point(
          false, [&] { each->adapter_state_changed(templates, PortableInterceptor::NON_EXISTENT); }));
    }
  }

 private:
  const std::shared_ptr<const Chain> chain_;
};

}  // namespace

std::shared_ptr<poa::AdapterObserver> make_adapter_observer(std::shared_ptr<const Chain> chain) {
  return std::make_shared<Observer>(std::move(chain));
}

}  // namespace tenon::dynamic

namespace PortableInterceptor {
inline namespace cpp11 {

tenon::dynamic::NewAdapter& IORInfo::adapter() const {
  if (adapter_ == nullptr) tenon::gen::raise(tenon::errors::wrong_interception_point);
  return *adapter_;
}

CORBA::object_reference<CORBA::Policy> IORInfo::get_effective_policy(CORBA::PolicyType type) {
  return tenon::dynamic::policy_of(adapter().policies, type);
}

void IORInfo::add_ior_component(const IOP::TaggedComponent& a_component) {
  if (!adapter().takes_components) tenon::gen::raise(tenon::errors::wrong_interception_point);
  adapter().components.push_back({std::nullopt, {a_component.tag(), a_component.component_data()}});
}

void IORInfo::add_ior_component_to_profile(const IOP::TaggedComponent& a_component,
                                           IOP::ProfileId profile_id) {
  if (!adapter().takes_components) tenon::gen::raise(tenon::errors::wrong_interception_point);
  adapter().components.push_back({profile_id, {a_component.tag(), a_component.component_data()}});
}

AdapterManagerId IORInfo::manager_id() { return adapter().manager.number(); }

AdapterState IORInfo::state() { return static_cast<AdapterState>(adapter().manager.state()); }

}  // namespace cpp11
}  // namespace PortableInterceptor
