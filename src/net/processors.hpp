// SPDX-License-Identifier: Apache-2.0
//
// Whether it pays to look again and again while a peer of the same machine works (net/spin.hpp). No state; any thread.
#pragma once

#include <sched.h>

#include <cstdint>
#include <optional>

namespace tenon::net {

/// How long waits of local transports spin unless told otherwise. A wake-up takes some 50 us where a processor has gone to sleep:
/// this is what is worth waiting for before. nullopt: the process may use one processor only, on which the peer could not work
/// meanwhile.
inline std::optional<std::uint32_t> usual_local_spin_us() noexcept {
  cpu_set_t set;
  CPU_ZERO(&set);
  const bool two = ::sched_getaffinity(0, sizeof set, &set) == 0 && CPU_COUNT(&set) >= 2;
  return two ? std::optional<std::uint32_t>(20) : std::nullopt;
}

}  // namespace tenon::net
