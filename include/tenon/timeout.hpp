// SPDX-License-Identifier: Apache-2.0
//
// Time-outs of calls: how long a two-way call may take until its reply is there, connecting included. tenon::set_timeout(object, 200ms)
// sets it for one reference, tenon::TimeoutScope for the calls that a thread makes while the scope lives. Options of an ORB count for the
// parts of other calls: -ORBConnectTimeout for connecting, -ORBCallTimeout (finite unless set to 0) for request and reply; while the peer
// does not read, a request waits -ORBSendTimeout at most. The nearest setting counts: the object's, else the thread's, else the ORB's. A
// call that takes longer raises CORBA::TIMEOUT. The standard's policies for this (tenon/corba/call_policies.hpp) set the same values.
#pragma once

#include <tenon/language.hpp>

#include <chrono>
#include <optional>

#include "base/clock.hpp"
#include "orb/client/call_policies.hpp"

namespace CORBA {
inline namespace cpp11 {
class Object;
}
}  // namespace CORBA

namespace tenon {

/// Sets the time-out of calls over this reference object from now on; zero: no setting of its own. Safe while calls run.
void set_timeout(CORBA::Object& object, std::chrono::milliseconds timeout) noexcept;

/// The time-out of calls that the current thread makes while this lives; scopes nest, the innermost counts.
class TimeoutScope {
 public:
  explicit TimeoutScope(std::chrono::milliseconds timeout) noexcept;
  ~TimeoutScope();
  TimeoutScope(const TimeoutScope&) = delete;
  TimeoutScope& operator=(const TimeoutScope&) = delete;

 private:
  std::optional<std::int64_t> outer_ns_;
};

namespace gen {
/// The policies of the calls that this thread makes, as its TimeoutScopes and its PolicyCurrent say.
inline constinit thread_local orb::CallPolicies thread_policies;
inline constinit thread_local bool thread_has_policies = false;
void set_thread_policies(const orb::CallPolicies& policies) noexcept;
/// The deadline of a call on this object made now; never: the connection's own time-outs, which are the ORB's setting.
Deadline deadline_for(const CORBA::Object& object);
}  // namespace gen

}  // namespace tenon
