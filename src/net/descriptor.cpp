// SPDX-License-Identifier: Apache-2.0
#include "net/descriptor.hpp"

#include <unistd.h>

#include <cerrno>

namespace tenon::net {

void Descriptor::reset(int fd) noexcept {
  if (fd_ >= 0) {
    const int before = errno;
    // close() is not repeated after EINTR: Linux has closed the descriptor by then, and another thread may own the number.
    ::close(fd_);
    errno = before;
  }
  fd_ = fd;
}

}  // namespace tenon::net
