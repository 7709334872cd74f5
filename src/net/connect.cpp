// SPDX-License-Identifier: Apache-2.0
#include "net/connect.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>

#include <cerrno>

#include "base/trail.hpp"
#include "net/wait.hpp"

namespace tenon::net {
namespace {

bool make_blocking(int fd) noexcept {
  const int flags = ::fcntl(fd, F_GETFL);
  return flags >= 0 && ::fcntl(fd, F_SETFL, flags & ~O_NONBLOCK) == 0;
}

Descriptor connect_one(const SocketAddress& address, Deadline deadline, int& os_error) noexcept {
  Descriptor socket(::socket(address.family(), SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  if (!socket) {
    os_error = errno;
    return {};
  }
  int error = ::connect(socket.get(), address.get(), address.size()) == 0 ? 0 : errno;
  if (error == EINPROGRESS || error == EINTR) {
    error = ETIMEDOUT;
    if (wait_for(socket.get(), POLLOUT, deadline)) {
      socklen_t size = sizeof error;
      if (::getsockopt(socket.get(), SOL_SOCKET, SO_ERROR, &error, &size) != 0) error = errno;
    }
  }
  // A port of the ephemeral range that nobody listens on can be chosen as our own port: TCP then connects the socket to
  // itself (simultaneous open), and every request would come back as its own answer.
  if (error == 0 && address.family() != AF_UNIX &&
      local_address(socket.get()) == peer_address(socket.get())) {
    error = ECONNREFUSED;
  }
  if (error == 0 && !make_blocking(socket.get())) error = errno;
  os_error = error;
  if (error != 0) socket.reset();
  return socket;
}

/// A Unix-domain connect() does not wait in the background: a full backlog is EAGAIN at once.
Descriptor connect_patiently(const SocketAddress& address, Deadline deadline, int& os_error) noexcept {
  for (;;) {
    Descriptor socket = connect_one(address, deadline, os_error);
    if (socket || os_error != EAGAIN || address.family() != AF_UNIX) return socket;
    if (deadline.expired()) {
      os_error = ETIMEDOUT;
      return {};
    }
    ::poll(nullptr, 0, 1);
  }
}

}  // namespace

Descriptor connect_stream(std::span<const SocketAddress> addresses, Deadline deadline, int& os_error) {
  os_error = EDESTADDRREQ;
  for (std::size_t i = 0; i < addresses.size(); ++i) {
    Deadline share = deadline;
    if (!deadline.is_never()) {
      share = Deadline::after_ns(deadline.remaining_ns() / static_cast<std::int64_t>(addresses.size() - i));
    }
    const std::int64_t began = steady_now();
    Descriptor socket = connect_patiently(addresses[i], share, os_error);
    if (socket) return socket;
    Trail::mine().add({.step = Step::connect,
                       .address = addresses[i].text(),
                       .os_error = os_error,
                       .took_ns = steady_now() - began});
  }
  return {};
}

}  // namespace tenon::net
