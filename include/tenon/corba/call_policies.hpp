// SPDX-License-Identifier: Apache-2.0
//
// Policies of calls (CORBA 3.4 part 1 §17.2, §8.9): time-outs and how far oneways go, at three levels. PolicyManager sets them for an
// ORB, PolicyCurrent for the calls of a thread, Object::_set_policy_overrides() for one reference; the nearest one counts.
//
// Policy objects never change. The managers are safe from any thread; PolicyCurrent speaks of the thread that calls it.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <vector>

#include "orb/client/call_policies.hpp"
#include "orb/own_policies.hpp"
#include "tenon/corba/bidir_policy.hpp"
#include "tenon/corba/current.hpp"
#include "tenon/corba/exception.hpp"
#include "tenon/corba/policy.hpp"
#include "tenon/corba/time_base.hpp"

namespace tenon::orb {
class Orb;
}

namespace tenon::gen {
using orb::PolicyOverrides;
}  // namespace tenon::gen

namespace Messaging {
inline namespace cpp11 {

using SyncScope = std::int16_t;
inline constexpr SyncScope SYNC_NONE = 0;  ///< goes on at once; the request may be buffered (BufferingPolicy)
inline constexpr SyncScope SYNC_WITH_TRANSPORT =
    1;  ///< when the request has been handed to the transport; the default
inline constexpr SyncScope SYNC_WITH_SERVER =
    2;  ///< when the server has the request, before the servant runs
inline constexpr SyncScope SYNC_WITH_TARGET = 3;  ///< when the servant has returned

using RebindMode = std::int16_t;
inline constexpr RebindMode TRANSPARENT = 0;   ///< follows forwards and connects again; the default
inline constexpr RebindMode NO_REBIND = 1;     ///< connects again, but goes nowhere else: REBIND
inline constexpr RebindMode NO_RECONNECT = 2;  ///< neither: REBIND

inline constexpr CORBA::PolicyType REBIND_POLICY_TYPE = 23;
inline constexpr CORBA::PolicyType SYNC_SCOPE_POLICY_TYPE = 24;
inline constexpr CORBA::PolicyType REQUEST_END_TIME_POLICY_TYPE = 28;
inline constexpr CORBA::PolicyType REPLY_END_TIME_POLICY_TYPE = 30;
inline constexpr CORBA::PolicyType RELATIVE_REQ_TIMEOUT_POLICY_TYPE = 31;
inline constexpr CORBA::PolicyType RELATIVE_RT_TIMEOUT_POLICY_TYPE = 32;

/// Counts for oneways only.
class SyncScopePolicy final
    : public tenon::gen::ValuePolicy<SyncScopePolicy, SyncScope, SYNC_SCOPE_POLICY_TYPE> {
 public:
  static constexpr std::string_view _static_id = "IDL:omg.org/Messaging/SyncScopePolicy:1.0";
  using ValuePolicy::ValuePolicy;
  SyncScope synchronization() const noexcept { return value(); }
};

/// How long it may take until the request has been handed over, connecting included. TIMEOUT with completion NO otherwise.
class RelativeRequestTimeoutPolicy final
    : public tenon::gen::ValuePolicy<RelativeRequestTimeoutPolicy, TimeBase::TimeT,
                                     RELATIVE_REQ_TIMEOUT_POLICY_TYPE> {
 public:
  static constexpr std::string_view _static_id = "IDL:omg.org/Messaging/RelativeRequestTimeoutPolicy:1.0";
  using ValuePolicy::ValuePolicy;
  TimeBase::TimeT relative_expiry() const noexcept { return value(); }
};

/// How long it may take until the reply is there.
class RelativeRoundtripTimeoutPolicy final
    : public tenon::gen::ValuePolicy<RelativeRoundtripTimeoutPolicy, TimeBase::TimeT,
                                     RELATIVE_RT_TIMEOUT_POLICY_TYPE> {
 public:
  static constexpr std::string_view _static_id = "IDL:omg.org/Messaging/RelativeRoundtripTimeoutPolicy:1.0";
  using ValuePolicy::ValuePolicy;
  TimeBase::TimeT relative_expiry() const noexcept { return value(); }
};

/// When the request must have been handed over at the latest.
class RequestEndTimePolicy final
    : public tenon::gen::ValuePolicy<RequestEndTimePolicy, TimeBase::UtcT, REQUEST_END_TIME_POLICY_TYPE> {
 public:
  static constexpr std::string_view _static_id = "IDL:omg.org/Messaging/RequestEndTimePolicy:1.0";
  using ValuePolicy::ValuePolicy;
  TimeBase::UtcT end_time() const noexcept { return value(); }
};

/// When the reply must be there at the latest.
class ReplyEndTimePolicy final
    : public tenon::gen::ValuePolicy<ReplyEndTimePolicy, TimeBase::UtcT, REPLY_END_TIME_POLICY_TYPE> {
 public:
  static constexpr std::string_view _static_id = "IDL:omg.org/Messaging/ReplyEndTimePolicy:1.0";
  using ValuePolicy::ValuePolicy;
  TimeBase::UtcT end_time() const noexcept { return value(); }
};

/// What calls over a reference that has reached its object may do by themselves. _validate_connection() binds it anew.
class RebindPolicy final : public tenon::gen::ValuePolicy<RebindPolicy, RebindMode, REBIND_POLICY_TYPE> {
 public:
  static constexpr std::string_view _static_id = "IDL:omg.org/Messaging/RebindPolicy:1.0";
  using ValuePolicy::ValuePolicy;
  RebindMode rebind_mode() const noexcept { return value(); }
};

}  // namespace cpp11
}  // namespace Messaging

namespace CORBA {
inline namespace cpp11 {

class ORB;

/// The policies of all calls of an ORB: resolve_initial_references("ORBPolicyManager").
class PolicyManager : public virtual LocalObject {
 public:
  static constexpr std::string_view _static_id = "IDL:omg.org/CORBA/PolicyManager:1.0";

  /// The policies that are set here and whose type is in the list; for an empty list, all that are set.
  PolicyList get_policy_overrides(const PolicyTypeSeq& ts) const;
  /// For policies of calls, and of types that the ORB has a policy factory for. Raises NO_PERMISSION for others, InvalidPolicies for two
  /// policies of one type; what() names the policy.
  void set_policy_overrides(const PolicyList& policies, SetOverrideType set_add);

 private:
  virtual tenon::orb::Orb& core() const = 0;
  virtual tenon::gen::PolicyOverrides get() const = 0;
  virtual void set(const tenon::gen::PolicyOverrides& policies) = 0;
  /// Whether it also takes policies that are for ORBs and not for calls.
  virtual bool of_orb() const { return false; }
  tenon::gen::OwnId<PolicyManager> own_id_{*this};
};

/// The policies of the calls that the current thread makes, over any ORB of the process: resolve_initial_references("PolicyCurrent").
class PolicyCurrent final : public PolicyManager, public virtual Current {
 public:
  static constexpr std::string_view _static_id = "IDL:omg.org/CORBA/PolicyCurrent:1.0";

  explicit PolicyCurrent(tenon::orb::Orb& core);
  ~PolicyCurrent() override;

 private:
  tenon::orb::Orb& core() const override { return *core_; }
  tenon::gen::PolicyOverrides get() const override;
  void set(const tenon::gen::PolicyOverrides& policies) override;
  const tenon::Ref<tenon::orb::Orb> core_;  // that says which types there are
  tenon::gen::OwnId<PolicyCurrent> own_id_{*this};
};

}  // namespace cpp11
}  // namespace CORBA

namespace tenon {

inline constexpr CORBA::PolicyType BUFFERING_POLICY_TYPE = tenon_vmcid | 2;

/// How many oneways with SYNC_NONE a connection may keep back, to send them together.
struct OnewayBuffering {
  std::uint32_t messages = 0;        ///< they are sent when there are so many; 0: any number
  std::uint32_t octets = 64 * 1024;  ///< ... or when they would be so large; 0: each is sent at once
  TimeBase::TimeT time = 50'000;     ///< ... or so long after the first one (here 5 ms); 0: any time
  bool operator==(const OnewayBuffering&) const = default;
};

class BufferingPolicy final
    : public gen::ValuePolicy<BufferingPolicy, OnewayBuffering, BUFFERING_POLICY_TYPE> {
 public:
  static constexpr std::string_view _static_id = "IDL:tenon/BufferingPolicy:1.0";
  using ValuePolicy::ValuePolicy;
};

inline constexpr CORBA::PolicyType DEADLINE_PASSING_POLICY_TYPE = tenon_vmcid | 3;

/// Whether calls made inside an upcall inherit the deadline of the call that is being served, and propagate it to their servers.
class DeadlinePassingPolicy final
    : public gen::ValuePolicy<DeadlinePassingPolicy, bool, DEADLINE_PASSING_POLICY_TYPE> {
 public:
  static constexpr std::string_view _static_id = "IDL:tenon/DeadlinePassingPolicy:1.0";
  using ValuePolicy::ValuePolicy;
};

inline constexpr CORBA::PolicyType COPY_BELOW_POLICY_TYPE = tenon_vmcid | 4;

/// From how many octets on sequences and arrays of numbers, octets, characters or plain structs, as arguments, are sent from where they are
/// instead of being copied into the message; the ORB's -ORBCopyBelow else. 0xFFFFFFFF: all are copied. Of calls over connections;
/// text below 4096 octets is always copied, and so are values in an Any.
class CopyBelowPolicy final
    : public gen::ValuePolicy<CopyBelowPolicy, std::uint32_t, COPY_BELOW_POLICY_TYPE> {
 public:
  static constexpr std::string_view _static_id = "IDL:tenon/CopyBelowPolicy:1.0";
  using ValuePolicy::ValuePolicy;
};

/// These make policies without an Any, which ORB::create_policy() wants. A TimeBase::TimeT is in units of 100 ns.
inline CORBA::object_reference<DeadlinePassingPolicy> create_deadline_passing_policy(bool passes) {
  return CORBA::make_reference<DeadlinePassingPolicy>(passes);
}
inline CORBA::object_reference<Messaging::RebindPolicy> create_rebind_policy(Messaging::RebindMode mode) {
  return CORBA::make_reference<Messaging::RebindPolicy>(mode);
}
inline CORBA::object_reference<Messaging::RequestEndTimePolicy> create_request_end_time_policy(
    TimeBase::UtcT end) {
  return CORBA::make_reference<Messaging::RequestEndTimePolicy>(end);
}
inline CORBA::object_reference<Messaging::ReplyEndTimePolicy> create_reply_end_time_policy(
    TimeBase::UtcT end) {
  return CORBA::make_reference<Messaging::ReplyEndTimePolicy>(end);
}
inline CORBA::object_reference<CopyBelowPolicy> create_copy_below_policy(std::uint32_t octets) {
  return CORBA::make_reference<CopyBelowPolicy>(octets);
}
/// The point in time that is `time` from now, for policies that name one.
TimeBase::UtcT utc_after(std::chrono::nanoseconds time);
inline CORBA::object_reference<BufferingPolicy> create_buffering_policy(const OnewayBuffering& limits) {
  return CORBA::make_reference<BufferingPolicy>(limits);
}
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

/// Sends the oneways that are buffered for any server. False: some could not be sent within the ORB's send time-out.
bool flush_oneways(CORBA::ORB& orb);
/// How many buffered oneways were lost with their connection: never sent as a whole, as far as is known here.
std::uint64_t oneways_lost(const CORBA::ORB& orb);

namespace gen {

/// The policies of a call on this object made now by this thread.
orb::CallPolicies policies_of_call(const CORBA::Object& object);
/// The same for policies of types that the program has a factory for; null: none.
orb::OwnPoliciesRef own_policies_of_call(orb::Reference* reference, const orb::OwnPoliciesRef& of_thread);
const orb::OwnPoliciesRef& own_policies_of_thread() noexcept;
/// Whether the type is that of a policy of calls.
bool is_policy_of_calls(CORBA::PolicyType type) noexcept;
/// The policy of that type that a call over the reference uses if only `wanted` is set, defaults included; nil: none. `reference`: null for
/// a local object.
CORBA::object_reference<CORBA::Policy> effective_policy(orb::Reference* reference,
                                                        const orb::CallPolicies& wanted,
                                                        CORBA::PolicyType type);
/// Puts the policies of a call on the object into `spec`, whose response_expected says whether it is a two-way call.
void apply_policies(const CORBA::Object& object, protocol::CallSpec& spec);
/// apply_policies() from when anything has set policies of calls; null before, when a call can have the time-out of its object alone. So a
/// program that sets no policies does not link them.
inline constinit std::atomic<decltype(&apply_policies)> policies_applied{nullptr};

}  // namespace gen
}  // namespace tenon

template <>
struct IDL::traits<CORBA::PolicyManager> : tenon::gen::LocalInterfaceTraits<CORBA::PolicyManager> {};
template <>
struct IDL::traits<CORBA::PolicyCurrent> : tenon::gen::LocalInterfaceTraits<CORBA::PolicyCurrent> {};
template <>
struct IDL::traits<Messaging::RebindPolicy> : tenon::gen::LocalInterfaceTraits<Messaging::RebindPolicy> {};
template <>
struct IDL::traits<Messaging::RequestEndTimePolicy>
    : tenon::gen::LocalInterfaceTraits<Messaging::RequestEndTimePolicy> {};
template <>
struct IDL::traits<Messaging::ReplyEndTimePolicy>
    : tenon::gen::LocalInterfaceTraits<Messaging::ReplyEndTimePolicy> {};
template <>
struct IDL::traits<tenon::DeadlinePassingPolicy>
    : tenon::gen::LocalInterfaceTraits<tenon::DeadlinePassingPolicy> {};
template <>
struct IDL::traits<tenon::CopyBelowPolicy> : tenon::gen::LocalInterfaceTraits<tenon::CopyBelowPolicy> {};
template <>
struct IDL::traits<tenon::BufferingPolicy> : tenon::gen::LocalInterfaceTraits<tenon::BufferingPolicy> {};
template <>
struct IDL::traits<Messaging::SyncScopePolicy>
    : tenon::gen::LocalInterfaceTraits<Messaging::SyncScopePolicy> {};
template <>
struct IDL::traits<Messaging::RelativeRequestTimeoutPolicy>
    : tenon::gen::LocalInterfaceTraits<Messaging::RelativeRequestTimeoutPolicy> {};
template <>
struct IDL::traits<Messaging::RelativeRoundtripTimeoutPolicy>
    : tenon::gen::LocalInterfaceTraits<Messaging::RelativeRoundtripTimeoutPolicy> {};
