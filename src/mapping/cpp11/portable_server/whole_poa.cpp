// SPDX-License-Identifier: Apache-2.0
//
// What PortableServer::POA can do only if it is whole: children, policies, ids of the program's own, default servants, servant managers.
#include "poa/whole_poa.hpp"

#include <algorithm>

#include "base/minor_codes.hpp"
#include "mapping/cpp11/corba/new_reference.hpp"
#include "mapping/cpp11/corba/own_policies.hpp"
#include "mapping/cpp11/corba/protocol_policies.hpp"
#include "mapping/cpp11/portable_server/adapter.hpp"
#include "mapping/cpp11/portable_server/poa_texts.hpp"
#include "poa/whole_adapter.hpp"
#include "tenon/portable_server/poa.hpp"

namespace tenon::gen {

poa::WholePoa& whole_or_raise(poa::Poa& poa, std::string_view operation) {
  if (poa::WholePoa* const whole = poa.whole()) return *whole;
  raise_with_reason(
      errors::root_poa_alone,
      std::string(operation) +
          ": the ORB has its root POA alone, since its start-up does not name tenon::parts::poa");
}

}  // namespace tenon::gen

namespace PortableServer {
inline namespace cpp11 {

using tenon::gen::value_or_raise;
using tenon::gen::whole_or_raise;
using Faults = tenon::poa::Exception;

namespace {

/// `list` puts as many as there is room for into a span, and returns how many there are.
template <typename T, typename List>
std::vector<tenon::Ref<T>> all_of(List list) {
  std::vector<tenon::Ref<T>> all;
  for (;;) {
    const std::size_t room = all.size();
    all.resize(list(std::span(all)));
    if (all.size() <= room) return all;
  }
}

bool is_of_protocols(CORBA::PolicyType type) noexcept { return tenon::gen::part_of_policy(type) != nullptr; }

}  // namespace

// --- POAManagerFactory ---

POAManagerFactory::POAManagerFactory(tenon::Ref<tenon::poa::WholeAdapter> root) : root_(std::move(root)) {}
POAManagerFactory::~POAManagerFactory() = default;

CORBA::object_reference<POAManager> POAManagerFactory::create_POAManager(const std::string& id,
                                                                         const CORBA::PolicyList& policies) {
  tenon::Ref<tenon::orb::OwnPolicies> own;
  for (const auto& policy : policies) {
    if (!policy) throw CORBA::PolicyError(CORBA::BAD_POLICY, "a nil policy");
    const CORBA::PolicyType type = policy->policy_type();
    if (is_of_protocols(type))
      throw CORBA::PolicyError(
          CORBA::UNSUPPORTED_POLICY,
          tenon::gen::policy_name(type) +
              ": protocols and protection are chosen for ORBs, threads, objects and POAs "
              "(create_POA), not for a POAManager");
    if (root_->orb() == nullptr || !tenon::gen::is_own_policy(*root_->orb(), type))
      throw CORBA::PolicyError(CORBA::UNSUPPORTED_POLICY,
                               tenon::gen::policy_name(type) +
                                   ": a POAManager takes only policies whose type an ORB initializer has "
                                   "registered a policy factory for");
    if (own && own->find(type) != nullptr)
      throw CORBA::PolicyError(CORBA::BAD_POLICY, tenon::gen::policy_name(type) + ": given twice");
    tenon::gen::put_own_policy(own, policy);
  }
  return tenon::gen::face_of(
      value_or_raise<Faults::manager_already_exists>(root_->create_manager(id, std::move(own))));
}

POAManagerFactory::POAManagerSeq POAManagerFactory::list() {
  const auto managers = all_of<tenon::poa::Manager>([this](auto into) { return root_->managers(into); });
  POAManagerSeq all;
  for (const auto& each : managers) all.push_back(tenon::gen::face_of(each));
  return all;
}

CORBA::object_reference<POAManager> POAManagerFactory::find(const std::string& id) {
  return tenon::gen::face_of(root_->find_manager(id));
}

// --- POA: the tree ---

namespace {

/// The policy's type and value only; the adapter checks whether policies go together.
tenon::poa::PolicyValue plain(const CORBA::object_reference<CORBA::Policy>& policy) {
  if (!policy) return {0, 0};
  const auto* const known = dynamic_cast<const tenon::gen::NumberPolicy*>(policy.get());
  return {policy->policy_type(), known != nullptr ? known->_number() : ~0u};
}

[[noreturn]] void refuse(const CORBA::PolicyList& list, std::uint16_t place, const char* rule) {
  std::string why;
  if (const auto* const texts = tenon::gen::poa_texts.load(std::memory_order_acquire))
    why = texts->policy(place, list[place], rule);
  throw POA::InvalidPolicy(place, why);
}

/// The standard has policies that the ORB makes only if it has a part for them.
const char* rule_of(const CORBA::PolicyList& list, const tenon::poa::Fault& fault) {
  const CORBA::PolicyType type = list[fault.index] ? list[fault.index]->policy_type() : 0;
  const char* const part = tenon::gen::part_of_policy(type);
  return part != nullptr ? part : fault.why;
}

}  // namespace

POA::InvalidPolicy::InvalidPolicy(std::uint16_t index, std::string_view why)
    : PlainException(tenon::gen::class_with_members<InvalidPolicy>, why), index_(index) {}

CORBA::object_reference<POA> POA::create_POA(const std::string& adapter_name,
                                             const CORBA::object_reference<POAManager>& a_POAManager,
                                             const CORBA::PolicyList& policies) {
  tenon::poa::WholePoa& whole = whole_or_raise(*poa_, "create_POA");
  tenon::Ref<tenon::poa::Manager> manager = a_POAManager ? a_POAManager->_manager() : nullptr;
  std::vector<tenon::poa::PolicyValue> values(policies.size());
  std::ranges::transform(policies, values.begin(), plain);
  tenon::poa::PoaExtras extras;
  if (const auto makers = tenon::gen::PolicyMakers::of(*orb_)) {
    if (const auto twice =
            makers->take(policies, values, manager ? manager->own_policies() : nullptr, extras))
      refuse(policies, *twice, "given twice");
  }
  if (const auto* const protocols = orb_->parts().protocol_policies) {
    if (const auto fault = protocols->check_endpoints(*orb_, policies, extras))
      refuse(policies, fault->index, fault->rule);
  }
  const auto read = tenon::poa::read_policies(values);
  if (!read) refuse(policies, read.fault().index, rule_of(policies, read.fault()));
  return tenon::gen::face_of(value_or_raise<Faults::adapter_already_exists>(
      whole.create_child(adapter_name, std::move(manager), *read, std::move(extras)), *poa_, adapter_name));
}

CORBA::object_reference<POA> POA::find_POA(const std::string& adapter_name, bool activate_it) {
  return tenon::gen::face_of(value_or_raise<Faults::adapter_non_existent>(
      whole_or_raise(*poa_, "find_POA").find_child(adapter_name, activate_it), *poa_, adapter_name));
}

CORBA::object_reference<POA> POA::the_parent() {
  const tenon::poa::WholePoa* const whole = poa_->whole();
  return tenon::gen::face_of(tenon::Ref<tenon::poa::Poa>(whole != nullptr ? whole->parent() : nullptr));
}

POAList POA::the_children() {
  POAList children;
  const tenon::poa::WholePoa* const whole = poa_->whole();
  if (whole == nullptr) return children;
  for (const auto& child : all_of<tenon::poa::WholePoa>([whole](auto into) { return whole->children(into); }))
    children.push_back(tenon::gen::face_of(child));
  return children;
}

CORBA::object_reference<POAManagerFactory> POA::the_POAManagerFactory() {
  return CORBA::make_reference<POAManagerFactory>(
      tenon::Ref<tenon::poa::WholeAdapter>(&whole_or_raise(*poa_, "the_POAManagerFactory").root()));
}

CORBA::object_reference<AdapterActivator> POA::the_activator() {
  const auto set = whole_or_raise(*poa_, "the_activator").activator();
  return CORBA::object_reference<AdapterActivator>(set ? static_cast<AdapterActivator*>(set->face())
                                                       : nullptr);
}

void POA::the_activator(const CORBA::object_reference<AdapterActivator>& activator) {
  value_or_raise(
      whole_or_raise(*poa_, "the_activator").set_activator(tenon::gen::engine_activator(activator)));
}

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
  const auto set =
      value_or_raise<Faults::wrong_policy>(whole_or_raise(*poa_, "get_servant_manager").get_manager(), *poa_);
  return CORBA::object_reference<ServantManager>(set ? static_cast<ServantManager*>(set->face()) : nullptr);
}

void POA::set_servant_manager(const CORBA::object_reference<ServantManager>& imgr) {
  tenon::poa::WholePoa& whole = whole_or_raise(*poa_, "set_servant_manager");
  if (whole.policies().retains()) {
    CORBA::object_reference<ServantActivator> activator(dynamic_cast<ServantActivator*>(imgr.get()));
    value_or_raise<Faults::wrong_policy>(
        whole.set_manager(tenon::gen::engine_activator(std::move(activator))), *poa_);
  } else {
    CORBA::object_reference<ServantLocator> locator(dynamic_cast<ServantLocator*>(imgr.get()));
    value_or_raise<Faults::wrong_policy>(whole.set_manager(tenon::gen::engine_locator(std::move(locator))),
                                         *poa_);
  }
}

CORBA::servant_reference<Servant> POA::get_servant() {
  return tenon::gen::own_servant(value_or_raise<Faults::no_servant, Faults::wrong_policy>(
      whole_or_raise(*poa_, "get_servant").get_servant(), *poa_));
}

void POA::set_servant(const CORBA::servant_reference<Servant>& servant) {
  value_or_raise<Faults::wrong_policy>(whole_or_raise(*poa_, "set_servant").set_servant(servant.get()),
                                       *poa_);
}

CORBA::object_reference<CORBA::Object> POA::create_reference_with_id(const ObjectId& id,
                                                                     const std::string& intf) {
  return tenon::gen::make_stub<CORBA::Object>(tenon::gen::new_reference(
      *orb_, *poa_, intf,
      value_or_raise(whole_or_raise(*poa_, "create_reference_with_id").key_with_id(id), *poa_)));
}

}  // namespace cpp11
}  // namespace PortableServer
