// SPDX-License-Identifier: Apache-2.0
//
// Time-outs of calls: how long a two-way call may take until its reply is there, connecting included. The nearest setting counts:
// the object's, else the thread's, else the ORB's (-ORBCallTimeout, finite unless set to 0). A call that takes longer raises
// CORBA::TIMEOUT. The standard's policies for this (CORBA 3.4 part 1 §17.2.2) will set the same values.
#pragma once

#include <chrono>

#include "base/clock.hpp"

namespace CORBA {
inline namespace cpp11 {
class Object;
}
}  // namespace CORBA

namespace tenon {

/// For calls over this reference object from now on; zero: no setting of its own. Safe while calls run.
void set_timeout(CORBA::Object& object, std::chrono::milliseconds timeout) noexcept;

/// For calls that the current thread makes while this lives; scopes nest, the innermost counts.
class TimeoutScope {
 public:
  explicit TimeoutScope(std::chrono::milliseconds timeout) noexcept;
  ~TimeoutScope();
  TimeoutScope(const TimeoutScope&) = delete;
  TimeoutScope& operator=(const TimeoutScope&) = delete;

 private:
  std::int64_t outer_ms_;
};

namespace gen {
/// Of the innermost TimeoutScope of this thread; 0: none.
inline constinit thread_local std::int64_t thread_timeout_ms = 0;
/// The deadline of a call on this object made now; never: the connection's own time-outs, which are the ORB's setting.
Deadline deadline_for(const CORBA::Object& object) noexcept;
}  // namespace gen

}  // namespace tenon
