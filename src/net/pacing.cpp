// SPDX-License-Identifier: Apache-2.0
#include "net/pacing.hpp"

#include <sys/socket.h>

#include <algorithm>
#include <climits>

namespace tenon::net {

void pace(int fd, std::uint64_t octets_per_second) noexcept {
  constexpr std::uint64_t no_limit = ULONG_MAX;
  // The kernel takes a long of its own, or 32 bits, of which it takes all ones for no limit as well.
  const auto rate =
      static_cast<unsigned long>(octets_per_second == 0 ? no_limit : std::min(octets_per_second, no_limit));
  ::setsockopt(fd, SOL_SOCKET, SO_MAX_PACING_RATE, &rate, sizeof rate);
}

}  // namespace tenon::net
