// SPDX-License-Identifier: Apache-2.0
#include "net/stream.hpp"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/time.h>

#include <algorithm>
#include <cerrno>
#include <climits>

#include "net/socket_buffers.hpp"
#include "net/wait.hpp"

namespace tenon::net {
namespace {

/// The kernel's own time-out ends the call early enough.
bool kernel_ends_first(Deadline deadline, std::uint32_t timeout_ms) noexcept {
  return deadline.is_never() ||
         (timeout_ms != 0 && deadline.remaining_ns() >= std::int64_t{timeout_ms} * 1'000'000);
}

/// After so long the kernel says how much it has taken, so that a peer which reads slowly can be told from one that does not read.
std::uint32_t send_window(std::uint32_t timeout_ms) noexcept {
  return timeout_ms / 8 + (timeout_ms % 8 != 0 ? 1 : 0);
}

void set_timeout(int fd, int option, std::uint32_t ms) noexcept {
  timeval value{};
  value.tv_sec = static_cast<time_t>(ms / 1000);
  value.tv_usec = static_cast<suseconds_t>(ms % 1000) * 1000;
  ::setsockopt(fd, SOL_SOCKET, option, &value, sizeof value);
}

ssize_t send_pieces(int fd, std::span<const iovec> pieces, int flags) noexcept {
  msghdr message{};
  message.msg_iov = const_cast<iovec*>(pieces.data());
  message.msg_iovlen = std::min<std::size_t>(pieces.size(), IOV_MAX);
  return ::sendmsg(fd, &message, flags | MSG_NOSIGNAL);
}

}  // namespace

void Stream::set_timeouts(std::uint32_t send_ms, std::uint32_t receive_ms) noexcept {
  if (send_ms != send_ms_) set_timeout(socket_.get(), SO_SNDTIMEO, send_window(send_ms));
  send_ms_ = send_ms;
  set_receive_timeout(receive_ms);
}

void Stream::set_receive_timeout(std::uint32_t ms) noexcept {
  if (ms != receive_ms_) set_timeout(socket_.get(), SO_RCVTIMEO, ms);
  receive_ms_ = ms;
}

Moved Stream::send_first(ByteView bytes, Deadline deadline, int error) noexcept {
  const iovec piece{const_cast<std::uint8_t*>(bytes.data()), bytes.size()};
  return wait_and_send({&piece, 1}, deadline, error);
}

Moved Stream::send_last(ByteView bytes) noexcept {
  const ssize_t sent =
      ::send(socket_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT | MSG_MORE);
  if (sent < 0) return {0, errno};
  return {static_cast<std::size_t>(sent), 0};
}

Moved Stream::send(std::span<const iovec> pieces, Deadline deadline) noexcept {
  return wait_and_send(pieces, deadline, 0);
}

// `came`: what the first try returned, if there was one.
Moved Stream::receive_other(MutableBytes into, Deadline deadline, ssize_t came) noexcept {
  int error = 0;
  if (deadline.is_never()) {
    if (came == 0) return end_of_stream();
    error = errno;
  } else if (deadline.is_immediate()) {
    came = receive_bytes(socket_.get(), into.data(), into.size(), MSG_DONTWAIT);
    if (came > 0) return {static_cast<std::size_t>(came), 0};
    if (came == 0) return end_of_stream();
    if (errno != EINTR) return {0, errno};
  }
  return wait_and_receive(into, deadline, error);
}

// `error`: the errno of the first try, 0 when there was none. A call that was ended by a signal, or by the kernel's time-out
// before the deadline, is made again.
Moved Stream::wait_and_send(std::span<const iovec> pieces, Deadline deadline, int error) noexcept {
  if (deadline.is_never() && send_ms_ != 0) deadline = Deadline::after_ms(send_ms_);
  for (;;) {
    if (error == EAGAIN && (deadline.is_never() || deadline.expired())) return {0, EAGAIN};
    if (error != 0 && error != EINTR && error != EAGAIN) return {0, error};
    int flags = 0;
    if (!kernel_ends_first(deadline, send_window(send_ms_))) {
      // There is nearly always room, so it waits only after it has tried.
      if (error == EAGAIN && !wait_for(socket_.get(), POLLOUT, deadline)) return {0, EAGAIN};
      flags = MSG_DONTWAIT;
    }
    const ssize_t sent = send_pieces(socket_.get(), pieces, flags);
    if (sent >= 0) return {static_cast<std::size_t>(sent), 0};
    error = errno;
  }
}

Moved Stream::wait_and_receive(MutableBytes into, Deadline deadline, int error) noexcept {
  for (;;) {
    if (error == EAGAIN && (deadline.is_never() || deadline.expired())) return {0, EAGAIN};
    if (error != 0 && error != EINTR && error != EAGAIN) return {0, error};
    int flags = 0;
    if (!kernel_ends_first(deadline, receive_ms_)) {
      if (!wait_for(socket_.get(), POLLIN, deadline)) return {0, EAGAIN};
      flags = MSG_DONTWAIT;
    }
    const ssize_t came = receive_bytes(socket_.get(), into.data(), into.size(), flags);
    if (came > 0) return {static_cast<std::size_t>(came), 0};
    if (came == 0) return end_of_stream();
    error = errno;
  }
}

// The kernel reports our own shutdown as the peer's.
Moved Stream::end_of_stream() const noexcept {
  return {0, shut_.load(std::memory_order_relaxed) ? ESHUTDOWN : 0};
}

bool Stream::wait(Deadline deadline) noexcept {
  const Deadline until = deadline.is_never() && receive_ms_ != 0 ? Deadline::after_ms(receive_ms_) : deadline;
  return wait_for(socket_.get(), POLLIN, until);
}

void Stream::shut_down() noexcept {
  // The flag is set first: a thread that wakes up must see it.
  if (!shut_.exchange(true, std::memory_order_relaxed)) ::shutdown(socket_.get(), SHUT_RDWR);
}

namespace {

void set_number(int fd, int level, int option, std::uint32_t value) noexcept {
  const int number = static_cast<int>(value);
  ::setsockopt(fd, level, option, &number, sizeof number);
}

/// The kernel counts whole seconds, and takes no more than these.
std::uint32_t seconds(std::uint32_t ms) noexcept {
  constexpr std::uint32_t most = 32767;
  return std::min(ms / 1000 + (ms % 1000 != 0 ? 1 : 0), most);
}

}  // namespace

void set_buffers(int fd, const SocketBuffers& buffers) noexcept {
  if (buffers.send != 0) set_number(fd, SOL_SOCKET, SO_SNDBUF, buffers.send);
  if (buffers.receive != 0) set_number(fd, SOL_SOCKET, SO_RCVBUF, buffers.receive);
}

void keep_off_routers(int fd) noexcept { set_number(fd, SOL_SOCKET, SO_DONTROUTE, 1); }

void mark(int fd, std::uint8_t dscp) noexcept {
  const std::uint32_t octet = std::uint32_t{dscp}
                              << 2;  // below it are the two bits of congestion notification
  set_number(fd, IPPROTO_IP, IP_TOS, octet);
  set_number(fd, IPPROTO_IPV6, IPV6_TCLASS, octet);  // has no effect on a socket of IPv4
}

void prepare_tcp(int fd, const KeepAlive& keep_alive, bool no_delay) noexcept {
  if (no_delay) set_number(fd, IPPROTO_TCP, TCP_NODELAY, 1);
  if (!keep_alive.on) return;
  set_number(fd, SOL_SOCKET, SO_KEEPALIVE, 1);
  if (keep_alive.idle_ms != 0) set_number(fd, IPPROTO_TCP, TCP_KEEPIDLE, seconds(keep_alive.idle_ms));
  if (keep_alive.interval_ms != 0)
    set_number(fd, IPPROTO_TCP, TCP_KEEPINTVL, seconds(keep_alive.interval_ms));
  if (keep_alive.probes != 0) set_number(fd, IPPROTO_TCP, TCP_KEEPCNT, std::min(keep_alive.probes, 127u));
}

}  // namespace tenon::net
