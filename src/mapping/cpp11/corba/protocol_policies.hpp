// SPDX-License-Identifier: Apache-2.0
//
// What an ORB that has the part of protocol policies does with them (tenon/corba/protocol_policies.hpp). Other files reach it through
// orb::Parts::protocol_policies and the pointers here, so that a program without the part links none of it. Any thread.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "orb/orb.hpp"
#include "orb/own_policies.hpp"
#include "tenon/corba/policy.hpp"

namespace tenon::poa {
struct PoaExtras;
}

namespace tenon::gen {

class PolicyMakers;

inline constexpr CORBA::PolicyType server_protocol_policy_type = 42;
inline constexpr CORBA::PolicyType client_protocol_policy_type = 43;
// Of the Security Service, which travel the same way (security_policies.hpp).
inline constexpr CORBA::PolicyType qop_policy_type = 15;
inline constexpr CORBA::PolicyType establish_trust_policy_type = 39;

/// What the ORB makes and takes only if its start-up names a part: that part. Null: it is no such policy.
constexpr const char* part_of_policy(CORBA::PolicyType type) noexcept {
  if (type == client_protocol_policy_type || type == server_protocol_policy_type)
    return "this program's start-up does not name tenon::parts::protocol_policies";
  if (type == qop_policy_type || type == establish_trust_policy_type)
    return "this program's start-up does not name tenon::parts::security_policies";
  return nullptr;
}

/// A fault of a policy of the list that create_POA() has got.
struct PolicyFault {
  std::uint16_t index;
  const char* rule;
};

struct ProtocolPolicies {
  /// Factories that know the two policies besides what `of_program`, which may be null, knows.
  std::shared_ptr<const PolicyMakers> (*makers)(std::shared_ptr<const PolicyMakers> of_program);
  /// The reference to the same object over which this thread's calls go now.
  orb::Reference& (*reference_for_call)(orb::Reference& reference);
  /// Whether the ORB has the endpoints that a ServerProtocolPolicy of the list names; opens them. INITIALIZE if that fails. `extras`: of the
  /// POA that is being made, with its policies.
  std::optional<PolicyFault> (*check_endpoints)(orb::Orb& orb, const CORBA::PolicyList& list,
                                                poa::PoaExtras& extras);
  /// As Orb::create_reference(), over the protocols that the POA's policies want, else the ORB's, if either says anything.
  Result<Ref<orb::Reference>> (*new_reference)(orb::Orb& orb, const orb::OwnPolicies* of_poa,
                                               std::string_view type_id, ByteView key,
                                               std::span<const orb::ExtraComponent> components,
                                               std::string& why);
  /// Checks policies that are about to be set for an ORB, or for a thread or a reference.
  void (*check)(orb::Orb& orb, const CORBA::PolicyList& list, bool of_orb);
};
extern const ProtocolPolicies protocol_policies;

/// orb::Parts::choose_profiles.
orb::Unreachable choose_profiles(const orb::Reference& reference,
                                 std::vector<orb::UsableProfile>& profiles) noexcept;

/// From when a start-up has named the part of security policies: what choose_profiles() does besides, with what is left; null before.
inline constinit std::atomic<orb::Unreachable (*)(const orb::Reference& reference,
                                                  std::vector<orb::UsableProfile>& profiles)>
    chooses_secured{nullptr};

/// ProtocolPolicies::reference_for_call from when the calls of a thread or an ORB have a ClientProtocolPolicy; null before.
inline constinit std::atomic<decltype(ProtocolPolicies::reference_for_call)> protocols_applied{nullptr};
inline orb::Reference& reference_for_call(orb::Reference& reference) {
  const auto applied = protocols_applied.load(std::memory_order_acquire);
  return applied == nullptr ? reference : applied(reference);
}

/// ProtocolPolicies::new_reference from when an ORB or a POA has a ServerProtocolPolicy; null before.
inline constinit std::atomic<decltype(ProtocolPolicies::new_reference)> reference_over_protocols{nullptr};

}  // namespace tenon::gen
