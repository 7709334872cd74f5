// SPDX-License-Identifier: Apache-2.0
#include "net/wait.hpp"

#include <poll.h>

#include <cerrno>
#include <ctime>

namespace tenon::net {

bool wait_for(int fd, short events, Deadline deadline, int wake) noexcept {
  pollfd watched[2] = {{fd, events, 0}, {wake, POLLIN, 0}};
  return wait_for_any({watched, wake < 0 ? 1u : 2u}, deadline);
}

bool wait_for_any(std::span<pollfd> watched, Deadline deadline) noexcept {
  for (;;) {
    timespec left{};
    if (!deadline.is_never()) {
      const auto ns = deadline.remaining_ns();
      left.tv_sec = whole_seconds<time_t>(ns);
      left.tv_nsec = static_cast<long>(ns % 1'000'000'000);
    }
    const int ready = ::ppoll(watched.data(), watched.size(), deadline.is_never() ? nullptr : &left, nullptr);
    if (ready > 0) return true;
    if (ready == 0) return false;
    // Anything but a signal means a wrong descriptor or no memory: the call that follows says which.
    if (errno != EINTR) return true;
  }
}

}  // namespace tenon::net
