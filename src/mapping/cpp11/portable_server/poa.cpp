// SPDX-License-Identifier: Apache-2.0
//
// PortableServer::POA and POAManager over tenon::poa: octets become references, faults become exceptions.
#include "tenon/portable_server/poa.hpp"

#include <algorithm>
#include <optional>

#include "base/minor_codes.hpp"
#include "base/thread_annotations.hpp"
#include "mapping/cpp11/corba/new_reference.hpp"
#include "mapping/cpp11/corba/orb_parts.hpp"
#include "mapping/cpp11/corba/own_policies.hpp"
#include "orb/orb.hpp"
#include "poa/root_adapter.hpp"

namespace tenon::gen {
namespace {

/// Guards the `face` of every POA and manager, and the making of adapters. Held for a few instructions.
Mutex faces;

template <typename Face, typename Engine>
CORBA::object_reference<Face> make_face(const Ref<Engine>& engine) {
  if (!engine) return nullptr;
  LockGuard lock(faces);
  auto* known = static_cast<Face*>(engine->face);
  if (known != nullptr && known->_add_ref_if_alive()) {
    CORBA::object_reference<Face> held(known);
    known->_remove_ref();
    return held;
  }
  CORBA::object_reference<Face> made(new Face(engine));
  engine->face = made.get();
  return made;
}

template <typename Engine>
void forget_face(Engine& engine, const void* face) noexcept {
  LockGuard lock(faces);
  if (engine.face == face) engine.face = nullptr;
}

poa::Servant& engine_servant(const CORBA::servant_reference<PortableServer::Servant>& servant) {
  if (!servant) raise(errors::nil_servant);
  return *servant;
}

/// The servant as one of this mapping; a servant of another mapping has no such class.
CORBA::servant_reference<PortableServer::Servant> own_servant(const Ref<poa::Servant>& servant) {
  auto* own = dynamic_cast<PortableServer::Servant*>(servant.get());
  if (own == nullptr) raise(errors::wrong_servant_type);
  return CORBA::servant_reference<PortableServer::Servant>(own);
}

CORBA::object_reference<CORBA::Object> object_of(orb::Orb& orb, const poa::Poa& poa, std::string_view type_id,
                                                 const poa::Octets& key) {
  return make_stub<CORBA::Object>(new_reference(orb, poa, type_id, key, poa.components()));
}

CORBA::object_reference<CORBA::Object> object_of(orb::Orb& orb, const poa::Poa& poa,
                                                 const PortableServer::Servant& servant,
                                                 const poa::Octets& key) {
  return make_stub<CORBA::Object>(servant_reference(orb, poa, servant, key));
}

/// The key in the profile that leads to this process.
poa::Octets local_key(orb::Orb& orb, const CORBA::object_reference<CORBA::Object>& object) {
  if (!object) raise(errors::nil_object);
  if (!object->_reference()) raise(errors::local_object);
  for (const orb::UsableProfile& profile : object->_reference()->profiles()) {
    if (orb.is_local(profile)) return profile.view.object_key;
  }
  throw PortableServer::POA::WrongAdapter("the reference leads to no POA of this ORB");
}

poa::RootAdapter& adapter_of(orb::Orb& orb) {
  LockGuard lock(faces);
  if (orb.adapter() == nullptr) {
    if (const Status usable = orb.usable(); !usable) raise(usable.error());
    // The ORB owns this reference until orb_gone().
    orb.set_adapter(make_ref<poa::RootAdapter>(&orb).detach());
  }
  return static_cast<poa::RootAdapter&>(*orb.adapter());
}

}  // namespace

CORBA::object_reference<PortableServer::POA> face_of(const Ref<poa::Poa>& poa) {
  return make_face<PortableServer::POA>(poa);
}

CORBA::object_reference<PortableServer::POA> root_poa(orb::Orb& orb) {
  const Ref<poa::Poa> root = adapter_of(orb).root_poa();
  if (!root) raise(errors::orb_has_shut_down);
  return face_of(root);
}

const InitialReference root_poa_reference{
    "RootPOA", [](orb::Orb& orb) -> CORBA::object_reference<CORBA::Object> { return root_poa(orb); }};

bool publish_key(orb::Orb& orb, const CORBA::object_reference<CORBA::Object>& object, std::string_view name) {
  const ByteView key(reinterpret_cast<const std::uint8_t*>(name.data()), name.size());
  return adapter_of(orb).publish(key, object ? local_key(orb, object) : poa::Octets());
}

bool publish_key(orb::Orb& orb, const CORBA::servant_reference<PortableServer::Servant>& servant,
                 std::string_view name) {
  const ByteView key(reinterpret_cast<const std::uint8_t*>(name.data()), name.size());
  poa::RootAdapter& adapter = adapter_of(orb);
  return adapter.publish(key, value_or_raise(adapter.root_poa()->key_of(engine_servant(servant))));
}

}  // namespace tenon::gen

namespace PortableServer {
inline namespace cpp11 {

using tenon::gen::value_or_raise;
using State = POAManager::State;

// --- POAManager ---

POAManager::POAManager(tenon::Ref<tenon::poa::Manager> manager) : manager_(std::move(manager)) {}
POAManager::~POAManager() { tenon::gen::forget_face(*manager_, this); }

void POAManager::activate() { value_or_raise(manager_->activate()); }
void POAManager::hold_requests(bool wait) { value_or_raise(manager_->hold_requests(wait)); }
void POAManager::discard_requests(bool wait) { value_or_raise(manager_->discard_requests(wait)); }
void POAManager::deactivate(bool etherealize_objects, bool wait) {
  value_or_raise(manager_->deactivate(etherealize_objects, wait));
}
std::string POAManager::get_id() { return manager_->id(); }

State POAManager::get_state() {
  switch (manager_->state()) {
    case tenon::poa::ManagerState::holding: return State::HOLDING;
    case tenon::poa::ManagerState::active: return State::ACTIVE;
    case tenon::poa::ManagerState::discarding: return State::DISCARDING;
    case tenon::poa::ManagerState::inactive: return State::INACTIVE;
  }
  return State::INACTIVE;
}

// --- POAManagerFactory ---

POAManagerFactory::POAManagerFactory(tenon::Ref<tenon::poa::RootAdapter> root) : root_(std::move(root)) {}
POAManagerFactory::~POAManagerFactory() = default;

CORBA::object_reference<POAManager> POAManagerFactory::create_POAManager(const std::string& id,
                                                                         const CORBA::PolicyList& policies) {
  tenon::Ref<tenon::orb::OwnPolicies> own;
  for (const auto& policy : policies) {
    if (!policy) throw CORBA::PolicyError(CORBA::BAD_POLICY, "a nil policy");
    const CORBA::PolicyType type = policy->policy_type();
    if (root_->orb() == nullptr || !tenon::gen::is_own_policy(*root_->orb(), type))
      throw CORBA::PolicyError(CORBA::UNSUPPORTED_POLICY,
                               tenon::gen::policy_name(type) +
                                   ": a POAManager takes only policies whose type an ORB initializer has "
                                   "registered a policy factory for");
    if (own && own->find(type) != nullptr)
      throw CORBA::PolicyError(CORBA::BAD_POLICY, tenon::gen::policy_name(type) + ": given twice");
    tenon::gen::put_own_policy(own, policy);
  }
  return tenon::gen::make_face<POAManager>(value_or_raise(root_->create_manager(id, std::move(own))));
}

POAManagerFactory::POAManagerSeq POAManagerFactory::list() {
  POAManagerSeq all;
  for (const auto& each : root_->managers()) all.push_back(tenon::gen::make_face<POAManager>(each));
  return all;
}

CORBA::object_reference<POAManager> POAManagerFactory::find(const std::string& id) {
  return tenon::gen::make_face<POAManager>(root_->find_manager(id));
}

// --- POA: the tree ---

POA::POA(tenon::Ref<tenon::poa::Poa> poa) : orb_(poa->root().orb()), poa_(std::move(poa)) {}
POA::~POA() { tenon::gen::forget_face(*poa_, this); }

namespace {

/// The policy's type and value only; the adapter checks whether policies go together.
tenon::poa::PolicyValue plain(CORBA::Policy& policy) {
  const CORBA::PolicyType type = policy.policy_type();
  const auto read = [&]<typename Known>(const Known*) {
    auto* known = dynamic_cast<Known*>(&policy);
    return tenon::poa::PolicyValue{type, known != nullptr ? static_cast<std::uint32_t>(known->value()) : ~0u};
  };
  switch (type) {
    case THREAD_POLICY_ID: return read(static_cast<ThreadPolicy*>(nullptr));
    case LIFESPAN_POLICY_ID: return read(static_cast<LifespanPolicy*>(nullptr));
    case ID_UNIQUENESS_POLICY_ID: return read(static_cast<IdUniquenessPolicy*>(nullptr));
    case ID_ASSIGNMENT_POLICY_ID: return read(static_cast<IdAssignmentPolicy*>(nullptr));
    case IMPLICIT_ACTIVATION_POLICY_ID: return read(static_cast<ImplicitActivationPolicy*>(nullptr));
    case SERVANT_RETENTION_POLICY_ID: return read(static_cast<ServantRetentionPolicy*>(nullptr));
    case REQUEST_PROCESSING_POLICY_ID: return read(static_cast<RequestProcessingPolicy*>(nullptr));
    case BiDirPolicy::BIDIRECTIONAL_POLICY_TYPE:
      return read(static_cast<BiDirPolicy::BidirectionalPolicy*>(nullptr));
    case tenon::OBJECT_DEMUX_POLICY_ID: return read(static_cast<tenon::ObjectDemuxPolicy*>(nullptr));
    default: return {type, 0};
  }
}

}  // namespace

POA::InvalidPolicy::InvalidPolicy(std::uint16_t index, const std::string& why) : index_(index) {
  if (!why.empty())
    text_ = std::string(_static_id) + ": policy " + std::to_string(index) + " of the list, " + why;
}

const char* POA::InvalidPolicy::what() const noexcept {
  return text_.empty() ? PlainException::what() : text_.c_str();
}

namespace {

std::string name_of(const CORBA::object_reference<CORBA::Policy>& policy) {
  return policy ? tenon::gen::policy_name(policy->policy_type()) : "a nil reference";
}

/// What is said besides of a policy that may lack its factory.
const char* about_factories(const CORBA::object_reference<CORBA::Policy>& policy) {
  return policy && !tenon::gen::has_policy_name(policy->policy_type())
             ? ", and the ORB has no policy factory for its type"
             : "";
}

/// Takes those policies out of `list` that one of the program's policy factories makes. `refused` is given the place of one that comes
/// twice. `places`: those of the policies that stay.
tenon::Ref<tenon::orb::OwnPolicies> take_own(tenon::orb::Orb& orb, CORBA::PolicyList& list,
                                             std::vector<std::uint16_t>& places,
                                             std::optional<std::uint16_t>& refused) {
  tenon::Ref<tenon::orb::OwnPolicies> own;
  CORBA::PolicyList others;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const auto place = static_cast<std::uint16_t>(i);
    if (!list[i] || !tenon::gen::is_own_policy(orb, list[i]->policy_type())) {
      others.push_back(list[i]);
      places.push_back(place);
    } else if (own && own->find(list[i]->policy_type()) != nullptr) {
      refused = place;
    } else {
      tenon::gen::put_own_policy(own, list[i]);
    }
  }
  list = std::move(others);
  return own;
}

std::string_view text_of(const ObjectId& id) noexcept {
  return {reinterpret_cast<const char*>(id.data()), id.size()};
}

}  // namespace

CORBA::object_reference<POA> POA::create_POA(const std::string& adapter_name,
                                             const CORBA::object_reference<POAManager>& a_POAManager,
                                             const CORBA::PolicyList& policies) {
  CORBA::PolicyList known = policies;
  std::vector<std::uint16_t> places;
  std::optional<std::uint16_t> twice;
  tenon::orb::OwnPoliciesRef own = take_own(*orb_, known, places, twice);
  if (twice) throw InvalidPolicy(*twice, name_of(policies[*twice]) + ": given twice");
  std::vector<tenon::poa::PolicyValue> values;
  values.reserve(known.size());
  for (const auto& policy : known) {
    values.push_back(policy ? plain(*policy) : tenon::poa::PolicyValue{0, 0});
  }
  const auto read = tenon::poa::read_policies(values);
  if (!read) {
    const tenon::poa::Fault fault = read.fault();
    throw InvalidPolicy(places[fault.index],
                        name_of(known[fault.index]) + ": " + fault.why + about_factories(known[fault.index]));
  }
  tenon::Ref<tenon::poa::Manager> manager = a_POAManager ? a_POAManager->_manager() : nullptr;
  if (manager) own = laid_over(manager->own_policies(), own);
  std::vector<tenon::orb::ExtraComponent> exposed = tenon::gen::exposed_policies(own);
  return tenon::gen::face_of(value_or_raise(
      poa_->create_child(adapter_name, std::move(manager), *read, {std::move(own), std::move(exposed)}),
      *poa_, adapter_name));
}

CORBA::object_reference<POA> POA::find_POA(const std::string& adapter_name, bool activate_it) {
  return tenon::gen::face_of(
      value_or_raise(poa_->find_child(adapter_name, activate_it), *poa_, adapter_name));
}

void POA::destroy(bool etherealize_objects, bool wait_for_completion) {
  value_or_raise(poa_->destroy(etherealize_objects, wait_for_completion));
}
std::string POA::the_name() { return poa_->name(); }

CORBA::object_reference<POA> POA::the_parent() {
  return tenon::gen::face_of(tenon::Ref<tenon::poa::Poa>(poa_->parent()));
}

POAList POA::the_children() {
  POAList children;
  for (const auto& child : poa_->children()) children.push_back(tenon::gen::face_of(child));
  return children;
}

CORBA::object_reference<POAManager> POA::the_POAManager() {
  return tenon::gen::make_face<POAManager>(tenon::Ref<tenon::poa::Manager>(&poa_->manager()));
}

CORBA::object_reference<POAManagerFactory> POA::the_POAManagerFactory() {
  return CORBA::make_reference<POAManagerFactory>(tenon::Ref<tenon::poa::RootAdapter>(&poa_->root()));
}

CORBA::object_reference<AdapterActivator> POA::the_activator() {
  const auto set = poa_->activator();
  return CORBA::object_reference<AdapterActivator>(set ? static_cast<AdapterActivator*>(set->face())
                                                       : nullptr);
}

void POA::the_activator(const CORBA::object_reference<AdapterActivator>& activator) {
  value_or_raise(poa_->set_activator(tenon::gen::engine_activator(activator)));
}

std::vector<std::uint8_t> POA::id() { return poa_->id(); }

// --- POA: policies ---

CORBA::object_reference<ThreadPolicy> POA::create_thread_policy(ThreadPolicyValue value) {
  return CORBA::make_reference<ThreadPolicy>(value);
}
CORBA::object_reference<LifespanPolicy> POA::create_lifespan_policy(LifespanPolicyValue value) {
  return CORBA::make_reference<LifespanPolicy>(value);
}
CORBA::object_reference<IdUniquenessPolicy> POA::create_id_uniqueness_policy(IdUniquenessPolicyValue value) {
  return CORBA::make_reference<IdUniquenessPolicy>(value);
}
CORBA::object_reference<IdAssignmentPolicy> POA::create_id_assignment_policy(IdAssignmentPolicyValue value) {
  return CORBA::make_reference<IdAssignmentPolicy>(value);
}
CORBA::object_reference<ImplicitActivationPolicy> POA::create_implicit_activation_policy(
    ImplicitActivationPolicyValue value) {
  return CORBA::make_reference<ImplicitActivationPolicy>(value);
}
CORBA::object_reference<ServantRetentionPolicy> POA::create_servant_retention_policy(
    ServantRetentionPolicyValue value) {
  return CORBA::make_reference<ServantRetentionPolicy>(value);
}
CORBA::object_reference<RequestProcessingPolicy> POA::create_request_processing_policy(
    RequestProcessingPolicyValue value) {
  return CORBA::make_reference<RequestProcessingPolicy>(value);
}

// --- POA: servants and objects ---

CORBA::object_reference<ServantManager> POA::get_servant_manager() {
  const auto set = value_or_raise(poa_->get_manager(), *poa_);
  return CORBA::object_reference<ServantManager>(set ? static_cast<ServantManager*>(set->face()) : nullptr);
}

void POA::set_servant_manager(const CORBA::object_reference<ServantManager>& imgr) {
  if (poa_->policies().retains()) {
    CORBA::object_reference<ServantActivator> activator(dynamic_cast<ServantActivator*>(imgr.get()));
    value_or_raise(poa_->set_manager(tenon::gen::engine_activator(std::move(activator))), *poa_);
  } else {
    CORBA::object_reference<ServantLocator> locator(dynamic_cast<ServantLocator*>(imgr.get()));
    value_or_raise(poa_->set_manager(tenon::gen::engine_locator(std::move(locator))), *poa_);
  }
}

CORBA::servant_reference<Servant> POA::get_servant() {
  return tenon::gen::own_servant(value_or_raise(poa_->get_servant(), *poa_));
}

void POA::set_servant(const CORBA::servant_reference<Servant>& servant) {
  value_or_raise(poa_->set_servant(servant.get()), *poa_);
}

ObjectId POA::activate_object(const CORBA::servant_reference<Servant>& servant) {
  return value_or_raise(poa_->activate(tenon::gen::engine_servant(servant)), *poa_);
}

void POA::activate_object_with_id(const ObjectId& id, const CORBA::servant_reference<Servant>& servant) {
  value_or_raise(poa_->activate_with_id(id, tenon::gen::engine_servant(servant)), *poa_, text_of(id));
}

void POA::deactivate_object(const ObjectId& id) { value_or_raise(poa_->deactivate(id), *poa_, text_of(id)); }

CORBA::object_reference<CORBA::Object> POA::create_reference(const std::string& intf) {
  return tenon::gen::object_of(*orb_, *poa_, intf, value_or_raise(poa_->new_key(), *poa_));
}

CORBA::object_reference<CORBA::Object> POA::create_reference_with_id(const ObjectId& id,
                                                                     const std::string& intf) {
  return tenon::gen::object_of(*orb_, *poa_, intf, value_or_raise(poa_->key_with_id(id), *poa_, text_of(id)));
}

ObjectId POA::servant_to_id(const CORBA::servant_reference<Servant>& servant) {
  return value_or_raise(poa_->servant_to_id(tenon::gen::engine_servant(servant)), *poa_);
}

CORBA::object_reference<CORBA::Object> POA::servant_to_reference(
    const CORBA::servant_reference<Servant>& servant) {
  const tenon::poa::Octets key = value_or_raise(poa_->key_of(tenon::gen::engine_servant(servant)), *poa_);
  return tenon::gen::object_of(*orb_, *poa_, *servant, key);
}

CORBA::servant_reference<Servant> POA::reference_to_servant(
    const CORBA::object_reference<CORBA::Object>& reference) {
  if (!poa_->policies().retains() && !poa_->policies().has_default_servant())
    tenon::gen::raise(tenon::poa::Exception::wrong_policy, *poa_, {});
  return id_to_servant(reference_to_id(reference));
}

ObjectId POA::reference_to_id(const CORBA::object_reference<CORBA::Object>& reference) {
  return value_or_raise(poa_->id_of(tenon::gen::local_key(*orb_, reference)), *poa_);
}

CORBA::servant_reference<Servant> POA::id_to_servant(const ObjectId& id) {
  return tenon::gen::own_servant(value_or_raise(poa_->id_to_servant(id), *poa_, text_of(id)));
}

CORBA::object_reference<CORBA::Object> POA::id_to_reference(const ObjectId& id) {
  const tenon::poa::Octets key = value_or_raise(poa_->key_of_active(id), *poa_, text_of(id));
  const tenon::Ref<tenon::poa::Servant> servant = value_or_raise(poa_->id_to_servant(id), *poa_, text_of(id));
  const auto* own = dynamic_cast<const Servant*>(servant.get());
  return own != nullptr ? tenon::gen::object_of(*orb_, *poa_, *own, key)
                        : tenon::gen::object_of(*orb_, *poa_, servant->_most_derived_id(), key);
}

}  // namespace cpp11
}  // namespace PortableServer
