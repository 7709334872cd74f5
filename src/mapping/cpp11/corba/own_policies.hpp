// SPDX-License-Identifier: Apache-2.0
//
// Policies that a program's own policy factories make (CORBA 3.4 part 1 §16.8), between CORBA::Policy and what the engine carries
// (orb/own_policies.hpp); and the names of policies, for texts. Any thread.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "orb/orb.hpp"
#include "orb/own_policies.hpp"
#include "tenon/corba/policy.hpp"

namespace tenon::poa {
struct PoaExtras;
struct PolicyValue;
}  // namespace tenon::poa

namespace tenon::gen {

using PolicyRef = CORBA::object_reference<CORBA::Policy>;

/// "SyncScopePolicy", "policy of type 99", "policy of type 0x54450001 (vendor 0x54450, number 1)".
std::string policy_name(CORBA::PolicyType type);
/// False: neither the standard nor this ORB has such policies.
bool has_policy_name(CORBA::PolicyType type) noexcept;
/// True: the ORB makes them without a program's factory.
bool is_policy_of_orb(CORBA::PolicyType type) noexcept;

/// The policy factories of an ORB. An ORB has one of these if a program has initializers for it.
class PolicyMakers {
 public:
  virtual ~PolicyMakers() = default;
  /// Whether there is a factory for that type.
  virtual bool make(CORBA::PolicyType type) const = 0;
  /// The policy of that type that a server has exposed as `value`; nil: the factory cannot read such values. INV_POLICY if it can, but not
  /// this one.
  virtual PolicyRef read(CORBA::PolicyType type, ByteView value) const = 0;

  /// Takes those policies that one of these factories makes: their `values` are marked as such, and their own values
  /// go to `extras`, over those of `of_manager`, which may be null. Returns the place of a policy whose type comes again, or nothing.
  /// Virtual, so that a program without factories links none of it.
  virtual std::optional<std::uint16_t> take(const CORBA::PolicyList& list, std::span<poa::PolicyValue> values,
                                            const orb::OwnPoliciesRef& of_manager,
                                            poa::PoaExtras& extras) const;

  static void set(orb::Orb& orb, std::shared_ptr<const PolicyMakers> makers);
  static std::shared_ptr<const PolicyMakers> of(orb::Orb& orb);
};
/// Whether that ORB has a factory for policies of the type.
bool is_own_policy(orb::Orb& orb, CORBA::PolicyType type);

/// What PolicyManager has set for all calls of the ORB; null: nothing.
orb::OwnPoliciesRef own_policies_of_orb(orb::Orb& orb);
void set_own_policies_of_orb(orb::Orb& orb, orb::OwnPoliciesRef policies);

/// Puts the policy into `into`, which is made if it is null.
void put_own_policy(Ref<orb::OwnPolicies>& into, const PolicyRef& policy);
/// Nil: there is none.
PolicyRef own_policy(const orb::OwnPoliciesRef& from, CORBA::PolicyType type);
/// What references say of policies that are exposed: TAG_POLICIES, or nothing.
std::vector<orb::ExtraComponent> exposed_policies(const orb::OwnPoliciesRef& policies);
/// The policy of that type for a call over the reference: the override, which must have the value that the object's server exposes, if both
/// are known; else the server's; nil if there is neither. INV_POLICY (OMG minor 1) for values that differ.
PolicyRef effective_own_policy(orb::Reference* reference, const orb::OwnPoliciesRef& overrides,
                               CORBA::PolicyType type);
/// Those of `overrides` whose value is not the one that the object's server exposes.
CORBA::PolicyList inconsistent_policies(orb::Reference& reference, const orb::OwnPoliciesRef& overrides);

}  // namespace tenon::gen
