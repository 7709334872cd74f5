// SPDX-License-Identifier: Apache-2.0
//
// Spinning: a wait begins with looking again and again for a bounded time. Where the event comes soon, this saves the time of going to
// sleep and being woken. A Spin learns: after several spins in vain it leaves spinning out for some waits, then for more and more, until
// it succeeds again. So it nearly stops where waits are always long, or where the peer runs on the same processor. What is there at the
// first look was not waited for, and teaches nothing.
//
// For one thread at a time.
#pragma once

#include <algorithm>
#include <cstdint>

#include "base/clock.hpp"

namespace tenon::net {

/// How long waits of the current thread spin, in nanoseconds, whatever their Spin says; negative: as the Spin says.
inline constinit thread_local std::int64_t thread_spin_ns = -1;

class Spin {
 public:
  /// `ns`: how long to spin where thread_spin_ns says nothing.
  explicit Spin(std::int64_t ns) noexcept : ns_(ns) {}

  /// Whether this wait is one of those that do not spin.
  bool skips() noexcept {
    if (time() == 0) return true;
    if (left_out_ == 0) return false;
    --left_out_;
    return true;
  }
  /// Calls `look` until it returns true, the time is over or the deadline has passed. Returns whether `look` did.
  template <typename Look>
  bool until(Look look, Deadline deadline = Deadline::never()) noexcept {
    if (skips()) return false;
    if (look()) return true;
    const std::int64_t end = std::min(steady_now() + time(), deadline.ns());
    while (steady_now() < end) {
      if (look()) {
        in_vain_ = 0;
        return true;
      }
    }
    if (++in_vain_ >= borne) left_out_ = 1u << std::min(in_vain_, most_doublings);
    return false;
  }

 private:
  std::int64_t time() const noexcept { return thread_spin_ns >= 0 ? thread_spin_ns : ns_; }

  static constexpr std::uint32_t borne = 3;            ///< spins in vain, one after the other
  static constexpr std::uint32_t most_doublings = 10;  ///< at least one wait in about a thousand spins

  std::int64_t ns_;
  std::uint32_t in_vain_ = 0;
  std::uint32_t left_out_ = 0;  // how many of the next waits will not spin
};

}  // namespace tenon::net
