// SPDX-License-Identifier: Apache-2.0
//
// Policies of calls (CORBA 3.4 part 1 §17.2, §8.9): time-outs and how far oneways go, at three levels. PolicyManager sets them for an
// ORB, PolicyCurrent for the calls of a thread, Object::_set_policy_overrides() for one reference; the nearest one counts.
//
// Policy objects never change. The managers are safe from any thread; PolicyCurrent speaks of the thread that calls it.
#pragma once

#include <cstdint>
#include <vector>

#include "mapping/cpp11/bidir_policy.hpp"
#include "mapping/cpp11/exception.hpp"
#include "mapping/cpp11/policy.hpp"
#include "orb/call_policies.hpp"

namespace TimeBase {
inline namespace cpp11 {
using TimeT = std::uint64_t;  ///< in units of 100 ns
}
}  // namespace TimeBase

namespace Messaging {
inline namespace cpp11 {

using SyncScope = std::int16_t;
inline constexpr SyncScope SYNC_NONE = 0;  ///< goes on at once
inline constexpr SyncScope SYNC_WITH_TRANSPORT =
    1;  ///< when the request has been handed to the transport; the default
inline constexpr SyncScope SYNC_WITH_SERVER =
    2;  ///< when the server has the request, before the servant runs
inline constexpr SyncScope SYNC_WITH_TARGET = 3;  ///< when the servant has returned

inline constexpr CORBA::PolicyType SYNC_SCOPE_POLICY_TYPE = 24;
inline constexpr CORBA::PolicyType RELATIVE_REQ_TIMEOUT_POLICY_TYPE = 31;
inline constexpr CORBA::PolicyType RELATIVE_RT_TIMEOUT_POLICY_TYPE = 32;

/// For oneways only.
class SyncScopePolicy final
    : public tenon::gen::ValuePolicy<SyncScopePolicy, SyncScope, SYNC_SCOPE_POLICY_TYPE> {
 public:
  using ValuePolicy::ValuePolicy;
  SyncScope synchronization() const noexcept { return value(); }
};

/// How long it may take until the request has been handed over, connecting included. TIMEOUT with completion NO otherwise.
class RelativeRequestTimeoutPolicy final
    : public tenon::gen::ValuePolicy<RelativeRequestTimeoutPolicy, TimeBase::TimeT,
                                     RELATIVE_REQ_TIMEOUT_POLICY_TYPE> {
 public:
  using ValuePolicy::ValuePolicy;
  TimeBase::TimeT relative_expiry() const noexcept { return value(); }
};

/// How long it may take until the reply is there.
class RelativeRoundtripTimeoutPolicy final
    : public tenon::gen::ValuePolicy<RelativeRoundtripTimeoutPolicy, TimeBase::TimeT,
                                     RELATIVE_RT_TIMEOUT_POLICY_TYPE> {
 public:
  using ValuePolicy::ValuePolicy;
  TimeBase::TimeT relative_expiry() const noexcept { return value(); }
};

}  // namespace cpp11
}  // namespace Messaging

namespace CORBA {
inline namespace cpp11 {

/// Policies that cannot be set, by their places in the list (CORBA 3.4 part 1 §8.9.2).
class InvalidPolicies final : public UserException {
 public:
  static constexpr std::string_view _static_id = "IDL:omg.org/CORBA/InvalidPolicies:1.0";
  InvalidPolicies() = default;
  explicit InvalidPolicies(std::vector<std::uint16_t> places) : indices_(std::move(places)) {}
  const std::vector<std::uint16_t>& indices() const noexcept { return indices_; }
  std::string_view _rep_id() const noexcept override { return _static_id; }
  std::string_view _name() const noexcept override { return "InvalidPolicies"; }
  [[noreturn]] void _raise() const override { throw *this; }
  void _put(tenon::cdr::Writer&) const override {}

 private:
  std::vector<std::uint16_t> indices_;
};

/// The policies of all calls of an ORB: what resolve_initial_references("ORBPolicyManager") gives.
class PolicyManager : public virtual LocalObject {
 public:
  static constexpr std::string_view _static_id = "IDL:omg.org/CORBA/PolicyManager:1.0";

  /// Those of the types asked for that are set here; all that are set for an empty list.
  PolicyList get_policy_overrides(const PolicyTypeSeq& ts) const;
  /// Raises NO_PERMISSION for a policy that is not one of calls, InvalidPolicies for two of one type.
  void set_policy_overrides(const PolicyList& policies, SetOverrideType set_add);

 private:
  virtual tenon::orb::CallPolicies get() const = 0;
  virtual void set(const tenon::orb::CallPolicies& policies) = 0;
};

/// The policies of the calls that the current thread makes, over any ORB of the process: resolve_initial_references("PolicyCurrent").
class PolicyCurrent final : public PolicyManager {
 public:
  static constexpr std::string_view _static_id = "IDL:omg.org/CORBA/PolicyCurrent:1.0";

 private:
  tenon::orb::CallPolicies get() const override;
  void set(const tenon::orb::CallPolicies& policies) override;
};

}  // namespace cpp11
}  // namespace CORBA

namespace tenon {

/// How a program makes policies without an Any.
inline CORBA::object_reference<Messaging::SyncScopePolicy> create_sync_scope_policy(
    Messaging::SyncScope scope) {
  return CORBA::make_reference<Messaging::SyncScopePolicy>(scope);
}
inline CORBA::object_reference<Messaging::RelativeRequestTimeoutPolicy>
create_relative_request_timeout_policy(TimeBase::TimeT expiry) {
  return CORBA::make_reference<Messaging::RelativeRequestTimeoutPolicy>(expiry);
}
inline CORBA::object_reference<Messaging::RelativeRoundtripTimeoutPolicy>
create_relative_roundtrip_timeout_policy(TimeBase::TimeT expiry) {
  return CORBA::make_reference<Messaging::RelativeRoundtripTimeoutPolicy>(expiry);
}

namespace gen {

/// What the initial references are.
CORBA::object_reference<CORBA::Object> policy_manager(orb::Orb& core);
CORBA::object_reference<CORBA::Object> policy_current();

/// The policies of a call on this object made now by this thread.
orb::CallPolicies policies_of_call(const CORBA::Object& object);
/// Puts them into what is known of a call; `spec.response_expected` says whether it is a two-way call.
void apply_policies(const CORBA::Object& object, protocol::CallSpec& spec);

}  // namespace gen
}  // namespace tenon

template <>
struct IDL::traits<CORBA::PolicyManager> : tenon::gen::LocalInterfaceTraits<CORBA::PolicyManager> {};
template <>
struct IDL::traits<CORBA::PolicyCurrent> : tenon::gen::LocalInterfaceTraits<CORBA::PolicyCurrent> {};
template <>
struct IDL::traits<Messaging::SyncScopePolicy>
    : tenon::gen::LocalInterfaceTraits<Messaging::SyncScopePolicy> {};
template <>
struct IDL::traits<Messaging::RelativeRequestTimeoutPolicy>
    : tenon::gen::LocalInterfaceTraits<Messaging::RelativeRequestTimeoutPolicy> {};
template <>
struct IDL::traits<Messaging::RelativeRoundtripTimeoutPolicy>
    : tenon::gen::LocalInterfaceTraits<Messaging::RelativeRoundtripTimeoutPolicy> {};
