// SPDX-License-Identifier: Apache-2.0
//
// Whether a wait begins with looking again and again for a bounded time (spinning), which saves the time that going to sleep and being
// woken takes where what is waited for comes soon. It learns: where it was in vain several times in a row it is left out, for longer and
// longer, until it pays again; so a wait that is always long, or a peer on the same processor, makes it stop.
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
  /// `ns`: for how long, where the thread says nothing.
  explicit Spin(std::int64_t ns) noexcept : ns_(ns) {}

  /// Calls `look` until it gives true or the time is over, at the latest at the deadline; true: it has.
  template <typename Look>
  bool until(Look look, Deadline deadline = Deadline::never()) noexcept {
    const std::int64_t ns = thread_spin_ns >= 0 ? thread_spin_ns : ns_;
    if (ns == 0) return false;
    if (left_out_ != 0) {
      --left_out_;
      return false;
    }
    const std::int64_t end = std::min(steady_now() + ns, deadline.ns());
    do {
      if (look()) {
        in_vain_ = 0;
        return true;
      }
    } while (steady_now() < end);
    if (++in_vain_ >= borne) left_out_ = 1u << std::min(in_vain_, most_doublings);
    return false;
  }

 private:
  static constexpr std::uint32_t borne = 3;            ///< in vain, one after the other
  static constexpr std::uint32_t most_doublings = 10;  ///< at least one wait of about a thousand tries again

  std::int64_t ns_;
  std::uint32_t in_vain_ = 0;
  std::uint32_t left_out_ = 0;  // waits that come
};

}  // namespace tenon::net
