// SPDX-License-Identifier: Apache-2.0
//
// What sockets say of their pacing. Any thread.
#pragma once

#include <sys/socket.h>

#include <climits>
#include <optional>

#include "base/absent_test_support.hpp"

namespace tenon::net {

/// ULONG_MAX: it has no limit. nullopt: the system does not tell, as an emulator, which passes this option to nobody.
inline std::optional<unsigned long> pacing_of(int socket) {
  if (emulated()) return std::nullopt;
  unsigned long rate = 0;
  socklen_t size = sizeof rate;
  if (::getsockopt(socket, SOL_SOCKET, SO_MAX_PACING_RATE, &rate, &size) != 0) return std::nullopt;
  return rate;
}

inline constexpr unsigned long unpaced = ULONG_MAX;

}  // namespace tenon::net
