// SPDX-License-Identifier: Apache-2.0
//
// What the members of a Configuration may be: the one place that says it, for settings in code and for options in text. Any thread.
#pragma once

#include <cstdint>
#include <string>

#include "orb/options.hpp"

namespace tenon::gen {

struct Bounds {
  const char* member;
  std::uint32_t least;
  std::uint32_t most;
};

namespace bounds {
inline constexpr Bounds pool_threads{"pool_threads", 1, 4096};
inline constexpr Bounds pool_threads_most{"pool_threads_most", 0, 65536};
inline constexpr Bounds completion_threads{"completion_threads", 1, 1000};
inline constexpr Bounds connections_most{"connections_most", 1, 1000000};
inline constexpr Bounds connections_per_endpoint{"connections_per_endpoint", 1, 1024};
inline constexpr Bounds client_connections_most{"client_connections_most", 0, 1000000};
inline constexpr Bounds forwards_most{"forwards_most", 0, 1000};
inline constexpr Bounds spin_us{"transports.spin_us", 0, 1000000};
inline constexpr Bounds probes{"transports.keep_alive.probes", 0, 127};
inline constexpr Bounds send_buffer{"transports.socket_buffers.send", 0, 1u << 30};
inline constexpr Bounds receive_buffer{"transports.socket_buffers.receive", 0, 1u << 30};
inline constexpr Bounds largest_message{"messaging.limits.largest_message", 1024, UINT32_MAX};
}  // namespace bounds

/// Names a member with which no ORB can do, and says what it may be; empty: each is as it should be.
std::string wrong_setting(const orb::Options& options);

}  // namespace tenon::gen
