// SPDX-License-Identifier: Apache-2.0
//
// Calls the IOR interceptors of a chain, with what they may ask about an adapter.
#include "dynamic/interceptors/ior_interception.hpp"

#include "mapping/cpp11/corba/new_reference.hpp"
#include "mapping/cpp11/corba/own_policies.hpp"
#include "poa/whole_adapter.hpp"
#include "poa/whole_poa.hpp"
#include "tenon/portable_server/poa_policies.hpp"

namespace tenon::dynamic {

using PortableInterceptor::AdapterName;

struct NewAdapter {
  const Chain& chain;
  const poa::Poa& poa;
  std::vector<orb::ExtraComponent>& components;
  CORBA::object_reference<PortableInterceptor::ObjectReferenceTemplate> adapter_template;
  CORBA::object_reference<PortableInterceptor::ObjectReferenceFactory> factory;
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

void check_has_factory(const Chain& chain, CORBA::PolicyType type) {
  if (!chain.policy_factories.contains(type))
    gen::raise_with_reason(errors::no_policy_factory,
                           gen::policy_name(type) + ": the ORB has no policy factory for it");
}

CORBA::object_reference<CORBA::Policy> policy_of(const poa::Poa& poa, const Chain& chain,
                                                 CORBA::PolicyType type) {
  namespace ps = PortableServer;
  const poa::Policies& all = poa.policies();
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
    case BiDirPolicy::BIDIRECTIONAL_POLICY_TYPE:
      return create_bidirectional_policy(all.bidirectional ? BiDirPolicy::BOTH : BiDirPolicy::NORMAL);
    case OBJECT_DEMUX_POLICY_ID:
      return create_object_demux_policy(static_cast<ObjectDemux>(static_cast<std::uint32_t>(all.demux)));
    default: break;
  }
#undef TENON_POLICY
  check_has_factory(chain, type);
  return gen::own_policy(poa.own_policies(), type);
}

namespace {

using PortableInterceptor::IORInfo;

/// A program's factory in place of the POA's own.
class FactoryMaker final : public poa::ReferenceMaker {
 public:
  explicit FactoryMaker(CORBA::object_reference<PortableInterceptor::ObjectReferenceFactory> factory)
      : factory_(std::move(factory)) {}
  Ref<orb::Reference> make(std::string_view type_id, ByteView id) override {
    const auto made = factory_->make_object(std::string(type_id), {id.begin(), id.end()});
    if (!made || !made->_reference())
      gen::raise_with_reason(errors::components_not_established,
                             "the ObjectReferenceFactory of the POA made no reference");
    return made->_reference();
  }

 private:
  const CORBA::object_reference<PortableInterceptor::ObjectReferenceFactory> factory_;
};

class Observer final : public poa::AdapterObserver {
 public:
  explicit Observer(std::shared_ptr<const Chain> chain) : chain_(std::move(chain)) {}

  Error creating(poa::WholePoa& poa, std::vector<orb::ExtraComponent>& components) noexcept override {
    Error refused;
    const orb::Verdict own = run_point(false, [&] { refused = ask(poa, components); });
    return refused ? refused : own.error;
  }

  void manager_changed(const poa::Manager& manager, poa::ManagerState state) noexcept override {
    for (const auto& each : chain_->ior) {
      static_cast<void>(run_point(false, [&] {
        each->adapter_manager_state_changed(manager.id(),
                                            static_cast<PortableInterceptor::AdapterState>(state));
      }));
    }
  }

  void destroyed(poa::WholePoa& poa) noexcept override {
    for (const auto& each : chain_->ior) {
      static_cast<void>(run_point(false, [&] {
        each->adapter_state_changed({template_of(poa)}, PortableInterceptor::NON_EXISTENT);
      }));
    }
  }

 private:
  /// The rest of creating(); what the ORB itself lacks memory for is thrown.
  Error ask(poa::WholePoa& poa, std::vector<orb::ExtraComponent>& components) {
    NewAdapter adapter{*chain_, poa, components, template_of(poa), nullptr, true};
    adapter.factory = adapter.adapter_template;
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
    if (adapter.factory != adapter.adapter_template)
      poa.set_reference_maker(std::make_shared<FactoryMaker>(std::move(adapter.factory)));
    return {};
  }

  CORBA::object_reference<PortableInterceptor::ObjectReferenceTemplate> template_of(
      poa::WholePoa& poa) const {
    return CORBA::make_reference<PortableInterceptor::ObjectReferenceTemplate>(chain_->server_id,
                                                                               chain_->orb_id, poa);
  }

  const std::shared_ptr<const Chain> chain_;
};

}  // namespace

std::shared_ptr<poa::AdapterObserver> make_adapter_observer(std::shared_ptr<const Chain> chain) {
  gen::use_components_of_poas();
  return std::make_shared<Observer>(std::move(chain));
}

}  // namespace tenon::dynamic

namespace PortableInterceptor {
inline namespace cpp11 {

ObjectReferenceTemplate::ObjectReferenceTemplate(std::string server_id, std::string orb_id,
                                                 tenon::poa::WholePoa& poa)
    : server_id_(std::move(server_id)),
      orb_id_(std::move(orb_id)),
      poa_(&poa),
      adapter_name_(tenon::dynamic::adapter_name(poa.path())) {}
ObjectReferenceTemplate::~ObjectReferenceTemplate() = default;

CORBA::object_reference<CORBA::Object> ObjectReferenceTemplate::make_object(const std::string& repository_id,
                                                                            const ObjectId& id) {
  const auto key = tenon::gen::value_or_raise(poa_->key_while_it_lives(id), *poa_);
  return tenon::gen::make_stub<CORBA::Object>(
      tenon::gen::new_reference_of(*poa_->root().orb(), *poa_, repository_id, key));
}

tenon::dynamic::NewAdapter& IORInfo::adapter() const {
  if (adapter_ == nullptr) tenon::gen::raise(tenon::errors::wrong_interception_point);
  return *adapter_;
}

CORBA::object_reference<CORBA::Policy> IORInfo::get_effective_policy(CORBA::PolicyType type) {
  return tenon::dynamic::policy_of(adapter().poa, adapter().chain, type);
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

CORBA::object_reference<ObjectReferenceTemplate> IORInfo::adapter_template() {
  if (adapter().takes_components) tenon::gen::raise(tenon::errors::wrong_interception_point);
  return adapter().adapter_template;
}

CORBA::object_reference<ObjectReferenceFactory> IORInfo::current_factory() {
  if (adapter().takes_components) tenon::gen::raise(tenon::errors::wrong_interception_point);
  return adapter().factory;
}

void IORInfo::current_factory(const CORBA::object_reference<ObjectReferenceFactory>& factory) {
  if (adapter().takes_components) tenon::gen::raise(tenon::errors::wrong_interception_point);
  if (!factory) tenon::gen::raise(tenon::errors::nil_object);
  adapter().factory = factory;
}

AdapterManagerId IORInfo::manager_id() { return adapter().poa.manager().id(); }

AdapterState IORInfo::state() { return static_cast<AdapterState>(adapter().poa.manager().state()); }

}  // namespace cpp11
}  // namespace PortableInterceptor
