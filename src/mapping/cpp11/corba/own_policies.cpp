// SPDX-License-Identifier: Apache-2.0
#include "mapping/cpp11/corba/own_policies.hpp"

#include <algorithm>
#include <optional>

#include "base/hex.hpp"
#include "base/joined.hpp"
#include "base/minor_codes.hpp"
#include "base/thread_annotations.hpp"
#include "ior/components.hpp"
#include "mapping/cpp11/corba/attached.hpp"
#include "mapping/cpp11/corba/new_reference.hpp"
#include "mapping/cpp11/corba/protocol_policies.hpp"
#include "poa/whole_poa.hpp"
#include "tenon/corba/call_policies.hpp"
#include "tenon/portable_server/poa_policies.hpp"

namespace tenon::gen {

namespace {

constexpr char makers_key = 0;
constexpr char of_orb_key = 0;

struct OfOrb {
  Mutex mutex;
  orb::OwnPoliciesRef policies TENON_GUARDED_BY(mutex);
};

std::shared_ptr<OfOrb> of_orb(orb::Orb& orb) { return attached<OfOrb>(orb, &of_orb_key); }

struct PolicyName {
  CORBA::PolicyType type;
  const char* name;
  bool of_orb = true;  // the ORB makes them
};

/// All types that have a name: those of this ORB, and those that the standard has besides.
constexpr PolicyName policy_names[] = {
    {qop_policy_type, "QOPPolicy"},
    {PortableServer::THREAD_POLICY_ID, "ThreadPolicy"},
    {PortableServer::LIFESPAN_POLICY_ID, "LifespanPolicy"},
    {PortableServer::ID_UNIQUENESS_POLICY_ID, "IdUniquenessPolicy"},
    {PortableServer::ID_ASSIGNMENT_POLICY_ID, "IdAssignmentPolicy"},
    {PortableServer::IMPLICIT_ACTIVATION_POLICY_ID, "ImplicitActivationPolicy"},
    {PortableServer::SERVANT_RETENTION_POLICY_ID, "ServantRetentionPolicy"},
    {PortableServer::REQUEST_PROCESSING_POLICY_ID, "RequestProcessingPolicy"},
    {Messaging::REBIND_POLICY_TYPE, "RebindPolicy"},
    {Messaging::SYNC_SCOPE_POLICY_TYPE, "SyncScopePolicy"},
    {25, "RequestPriorityPolicy", false},
    {26, "ReplyPriorityPolicy", false},
    {27, "RequestStartTimePolicy", false},
    {Messaging::REQUEST_END_TIME_POLICY_TYPE, "RequestEndTimePolicy"},
    {29, "ReplyStartTimePolicy", false},
    {Messaging::REPLY_END_TIME_POLICY_TYPE, "ReplyEndTimePolicy"},
    {Messaging::RELATIVE_REQ_TIMEOUT_POLICY_TYPE, "RelativeRequestTimeoutPolicy"},
    {Messaging::RELATIVE_RT_TIMEOUT_POLICY_TYPE, "RelativeRoundtripTimeoutPolicy"},
    {33, "RoutingPolicy", false},
    {34, "MaxHopsPolicy", false},
    {35, "QueueOrderPolicy", false},
    {36, "FirewallPolicy", false},
    {BiDirPolicy::BIDIRECTIONAL_POLICY_TYPE, "BidirectionalPolicy"},
    {establish_trust_policy_type, "EstablishTrustPolicy"},
    {40, "PriorityModelPolicy", false},
    {41, "ThreadpoolPolicy", false},
    {server_protocol_policy_type, "ServerProtocolPolicy"},
    {client_protocol_policy_type, "ClientProtocolPolicy"},
    {44, "PrivateConnectionPolicy", false},
    {45, "PriorityBandedConnectionPolicy", false},
    {61, "ProcessingModePolicy"},
    {OBJECT_DEMUX_POLICY_ID, "ObjectDemuxPolicy"},
    {BUFFERING_POLICY_TYPE, "BufferingPolicy"},
    {DEADLINE_PASSING_POLICY_TYPE, "DeadlinePassingPolicy"},
    {COPY_BELOW_POLICY_TYPE, "CopyBelowPolicy"},
};

/// nullptr: it has no name.
const PolicyName* known_policy(CORBA::PolicyType type) noexcept {
  const auto* const known = std::ranges::find(policy_names, type, &PolicyName::type);
  return known != std::end(policy_names) ? known : nullptr;
}

class KeptPolicy final : public RefCounted {
 public:
  explicit KeptPolicy(PolicyRef of) : policy(std::move(of)) {}
  const PolicyRef policy;
};

const PolicyRef& kept_policy(const orb::OwnPolicies::Each& each) noexcept {
  return static_cast<const KeptPolicy&>(*each.policy).policy;
}

std::optional<std::vector<std::uint8_t>> copied(const std::optional<ByteView>& value) {
  if (!value) return std::nullopt;
  return std::vector<std::uint8_t>(value->begin(), value->end());
}

/// What the object's server exposes of that type, in the profile that calls use or would try first if no policy were against it.
std::optional<std::vector<std::uint8_t>> exposed_by_server(orb::Reference& reference,
                                                           CORBA::PolicyType type) {
  if (const orb::Reference::Binding* const binding = reference.binding())
    return copied(ior::find_policy(binding->profile->view.components, type));
  if (const auto& profiles = reference.profiles(); !profiles.empty())
    return copied(ior::find_policy(profiles.front().view.components, type));
  for (const ior::TaggedProfile& each : reference.ior().profiles) {
    const protocol::TransportPlugin* const transport = reference.orb().transport_for(each.tag);
    if (transport == nullptr) continue;
    if (const auto view = transport->read_profile(each.data))
      return copied(ior::find_policy(view->components, type));
  }
  return std::nullopt;
}

}  // namespace

std::string policy_name(CORBA::PolicyType type) {
  if (const PolicyName* const known = known_policy(type)) return known->name;
  // The 20 upper bits are a vendor's, or 0 for what the OMG gives out, which the standard writes in decimal.
  constexpr CORBA::PolicyType numbers = 0xFFF;
  if (type <= numbers) return worded("policy of type %", {decimal(type)});
  return worded("policy of type 0x% (vendor 0x%, number %)",
                {hex_number(type), hex_number(type >> 12), decimal(type & numbers)});
}

bool has_policy_name(CORBA::PolicyType type) noexcept { return known_policy(type) != nullptr; }

bool is_policy_of_orb(CORBA::PolicyType type) noexcept {
  const PolicyName* const known = known_policy(type);
  return known != nullptr && known->of_orb;
}

void PolicyMakers::set(orb::Orb& orb, std::shared_ptr<const PolicyMakers> makers) {
  orb.attachment(&makers_key, [&]() -> std::shared_ptr<void> {
    return std::const_pointer_cast<PolicyMakers>(std::move(makers));
  });
}

std::optional<std::uint16_t> PolicyMakers::take(const CORBA::PolicyList& list,
                                                std::span<poa::PolicyValue> values,
                                                const orb::OwnPoliciesRef& of_manager,
                                                poa::PoaExtras& extras) const {
  Ref<orb::OwnPolicies> own;
  std::optional<std::uint16_t> twice;
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (!list[i] || !make(list[i]->policy_type())) continue;
    values[i].of_program = true;
    if (own && own->find(list[i]->policy_type()) != nullptr) {
      twice = static_cast<std::uint16_t>(i);
    } else {
      put_own_policy(own, list[i]);
    }
  }
  extras.own_policies = laid_over(of_manager, own);
  extras.components = exposed_policies(extras.own_policies);
  if (!extras.components.empty()) use_components_of_poas();
  return twice;
}

std::shared_ptr<const PolicyMakers> PolicyMakers::of(orb::Orb& orb) {
  auto of_program = std::static_pointer_cast<const PolicyMakers>(
      orb.attachment(&makers_key, []() -> std::shared_ptr<void> { return nullptr; }));
  const ProtocolPolicies* const protocols = orb.parts().protocol_policies;
  return protocols == nullptr ? of_program : protocols->makers(std::move(of_program));
}

bool is_own_policy(orb::Orb& orb, CORBA::PolicyType type) {
  const auto makers = PolicyMakers::of(orb);
  return makers != nullptr && makers->make(type);
}

orb::OwnPoliciesRef own_policies_of_orb(orb::Orb& orb) {
  const auto of = of_orb(orb);
  if (of == nullptr) return nullptr;
  const LockGuard lock(of->mutex);
  return of->policies;
}

void set_own_policies_of_orb(orb::Orb& orb, orb::OwnPoliciesRef policies) {
  const auto of = of_orb(orb);
  if (of == nullptr) return;
  // What was there before goes with the parameter, after the lock: a policy may be code of the application.
  const LockGuard lock(of->mutex);
  std::swap(of->policies, policies);
}

void put_own_policy(Ref<orb::OwnPolicies>& into, const PolicyRef& policy) {
  if (!into) into = make_ref<orb::OwnPolicies>();
  into->put({policy->policy_type(), make_ref<KeptPolicy>(policy)});
}

PolicyRef own_policy(const orb::OwnPoliciesRef& from, CORBA::PolicyType type) {
  const orb::OwnPolicies::Each* const found = from ? from->find(type) : nullptr;
  return found != nullptr ? kept_policy(*found) : nullptr;
}

std::vector<orb::ExtraComponent> exposed_policies(const orb::OwnPoliciesRef& policies) {
  std::vector<ior::PolicyValue> values;
  if (policies) {
    for (const orb::OwnPolicies::Each& each : policies->all) {
      std::vector<std::uint8_t> value = kept_policy(each)->_exposed_value();
      if (!value.empty()) values.push_back({each.type, std::move(value)});
    }
  }
  if (values.empty()) return {};
  return {{std::nullopt, ior::policies_component(values)}};
}

PolicyRef effective_own_policy(orb::Reference* reference, const orb::OwnPoliciesRef& overrides,
                               CORBA::PolicyType type) {
  PolicyRef wanted = own_policy(overrides, type);
  if (reference == nullptr) return wanted;
  const auto of_server = exposed_by_server(*reference, type);
  if (!of_server) return wanted;
  const auto makers = PolicyMakers::of(reference->orb());
  PolicyRef server_s = makers ? makers->read(type, *of_server) : nullptr;
  if (!wanted || !server_s) return wanted ? wanted : server_s;
  // Both values are as this process writes them, whatever the server's byte order.
  const std::vector<std::uint8_t> mine = wanted->_exposed_value();
  if (!mine.empty() && mine != server_s->_exposed_value())
    raise_with_reason(errors::irreconcilable_policy,
                      policy_name(type) + ": the override has another value than the reference says");
  return wanted;
}

CORBA::PolicyList inconsistent_policies(orb::Reference& reference, const orb::OwnPoliciesRef& overrides) {
  CORBA::PolicyList found;
  if (!overrides) return found;
  for (const orb::OwnPolicies::Each& each : overrides->all) {
    try {
      static_cast<void>(effective_own_policy(&reference, overrides, each.type));
    } catch (const CORBA::SystemException& exception) {
      // Its class would be in each program that links this file.
      if (exception._error().id != tenon::SystemException::inv_policy) throw;
      found.push_back(kept_policy(each));
    }
  }
  return found;
}

}  // namespace tenon::gen
