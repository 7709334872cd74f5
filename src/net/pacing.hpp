// SPDX-License-Identifier: Apache-2.0
//
// How fast TCP sends, at most: the kernel spreads what a socket sends over time (SO_MAX_PACING_RATE, socket(7)), by itself where the network
// device has no queueing discipline that does so (fq). It spreads over loopback, too.
#pragma once

#include <cstdint>

namespace tenon::net {

/// Octets per second. With less, a full segment would take seconds; more is a negative number that somebody has converted.
inline constexpr std::uint64_t least_pacing = 1000;
inline constexpr std::uint64_t most_pacing = INT64_MAX;

/// Whether a socket can have it; 0 is no limit.
constexpr bool is_pacing(std::uint64_t octets_per_second) noexcept {
  return octets_per_second == 0 || (octets_per_second >= least_pacing && octets_per_second <= most_pacing);
}

/// For what is sent from then on; 0 takes the limit away. What a socket that listens has, those that it accepts get, of IPv4 and of IPv6.
/// Where the processor has 32 bits, 4,294,967,295 and more are no limit. A system that cannot do it sends as fast as it can. Any thread.
void pace(int fd, std::uint64_t octets_per_second) noexcept;

}  // namespace tenon::net
