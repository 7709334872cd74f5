// SPDX-License-Identifier: Apache-2.0
#include "net/connect.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/time.h>

#include <algorithm>
#include <cerrno>
#include <ctime>
#include <utility>
#include <vector>

#include "base/memory.hpp"
#include "base/trail.hpp"
#include "net/wait.hpp"

namespace tenon::net {
namespace {

bool make_blocking(int fd) noexcept {
  const int flags = ::fcntl(fd, F_GETFL);
  return flags >= 0 && ::fcntl(fd, F_SETFL, flags & ~O_NONBLOCK) == 0;
}

/// Begins to connect. `os_error` is 0 if the socket is connected already and EINPROGRESS if that goes on; else there is no socket.
Descriptor begin(const SocketAddress& address, const SocketBuffers& buffers, int& os_error) noexcept {
  Descriptor socket(::socket(address.family(), SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  if (!socket) {
    os_error = errno;
    return {};
  }
  set_buffers(socket.get(), buffers);
  os_error = ::connect(socket.get(), address.get(), address.size()) == 0 ? 0 : errno;
  if (os_error == EINTR) os_error = EINPROGRESS;
  if (os_error != 0 && os_error != EINPROGRESS) socket.reset();
  return socket;
}

/// How the attempt ended, once the socket is ready to be written: 0 or an errno.
int outcome(int fd) noexcept {
  int error = 0;
  socklen_t size = sizeof error;
  return ::getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &size) == 0 ? error : errno;
}

/// Sets up the connected socket for callers; returns an errno when it cannot be used.
int finish(int fd, const SocketAddress& address) noexcept {
  if (address.family() != AF_UNIX && ends_at_itself(fd)) return ECONNREFUSED;
  return make_blocking(fd) ? 0 : errno;
}

/// Sets the kernel's time-out: none for never(), and the shortest that there is for a deadline that has passed.
void set_send_timeout(int fd, Deadline deadline) noexcept {
  timeval left{};
  if (!deadline.is_never()) {
    const std::int64_t ns = std::max<std::int64_t>(deadline.remaining_ns(), 1000);
    left.tv_sec = whole_seconds<time_t>(ns);
    left.tv_usec = static_cast<suseconds_t>(ns % 1'000'000'000 / 1000);
  }
  ::setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &left, sizeof left);
}

void note_failure(const SocketAddress& address, std::int64_t began, int os_error) {
  if (memory::is_known()) return;
  Trail::mine().add({.step = Step::connect,
                     .address = address.text(),
                     .os_error = os_error,
                     .took_ns = steady_now() - began});
}

/// Several addresses at a time (RFC 8305 §5): the next one is tried when the last one has had its head start, or at once when one
/// fails; the first address that answers wins.
class Race {
 public:
  Race(std::span<const SocketAddress> addresses, Deadline deadline, const SocketBuffers& buffers)
      : addresses_(addresses), deadline_(deadline), buffers_(buffers) {}

  Connected run(int& os_error) {
    os_error_ = EDESTADDRREQ;
    for (const std::size_t place : attempt_order(addresses_)) waiting_.push_back(place);
    std::reverse(waiting_.begin(), waiting_.end());
    Connected won;
    while (!won.socket && (!waiting_.empty() || !running_.empty())) {
      if (running_.empty() || (!waiting_.empty() && next_start_.expired())) {
        won = start();
      } else if (wait()) {
        won = look();
      } else if (deadline_.expired()) {
        give_up();
        break;
      }
    }
    os_error = won.socket ? 0 : os_error_;
    return won;
  }

 private:
  struct Attempt {
    Descriptor socket;
    std::size_t place;
    std::int64_t began;
  };

  Connected start() {
    const std::size_t place = waiting_.back();
    waiting_.pop_back();
    Attempt attempt{{}, place, steady_now()};
    int error = 0;
    attempt.socket = begin(addresses_[place], buffers_, error);
    if (error == EINPROGRESS) {
      running_.push_back(std::move(attempt));
      set_head_start();
      return {};
    }
    return ended(std::move(attempt), error);
  }

  void set_head_start() {
    std::int64_t ns = head_start_ms * 1'000'000;
    // If little time is left, the addresses that wait get equal shares of it.
    if (!deadline_.is_never())
      ns = std::min(ns, deadline_.remaining_ns() / static_cast<std::int64_t>(waiting_.size() + 1));
    next_start_ = Deadline::after_ns(ns);
  }

  /// Waits until an attempt has an outcome. False: the head start is over, or the deadline has passed.
  bool wait() {
    watched_.clear();
    for (const Attempt& each : running_) watched_.push_back({each.socket.get(), POLLOUT, 0});
    const Deadline until = waiting_.empty() ? deadline_ : earlier(deadline_, next_start_);
    timespec left{};
    if (!until.is_never()) {
      const std::int64_t ns = until.remaining_ns();
      left.tv_sec = whole_seconds<time_t>(ns);
      left.tv_nsec = static_cast<long>(ns % 1'000'000'000);
    }
    return ::ppoll(watched_.data(), watched_.size(), until.is_never() ? nullptr : &left, nullptr) > 0;
  }

  /// Prefers the earliest of several attempts that are ready.
  Connected look() {
    for (std::size_t i = 0; i < running_.size();) {
      if (watched_[i].revents == 0) {
        ++i;
        continue;
      }
      const auto at = static_cast<std::ptrdiff_t>(i);
      Attempt attempt = std::move(running_[i]);
      running_.erase(running_.begin() + at);
      watched_.erase(watched_.begin() + at);
      const int error = outcome(attempt.socket.get());
      if (Connected won = ended(std::move(attempt), error); won.socket) return won;
    }
    return {};
  }

  Connected ended(Attempt attempt, int error) {
    const SocketAddress& address = addresses_[attempt.place];
    if (error == 0) error = finish(attempt.socket.get(), address);
    if (error == 0) return {std::move(attempt.socket), attempt.place};
    os_error_ = error;
    note_failure(address, attempt.began, error);
    next_start_ = Deadline::immediately();
    return {};
  }

  void give_up() {
    os_error_ = ETIMEDOUT;
    for (const Attempt& each : running_) note_failure(addresses_[each.place], each.began, ETIMEDOUT);
  }

  const std::span<const SocketAddress> addresses_;
  const Deadline deadline_;
  const SocketBuffers buffers_;
  std::vector<std::size_t> waiting_;  // in reverse order: the next to try is the last one
  std::vector<Attempt> running_;
  std::vector<pollfd> watched_;  // one for each of running_
  Deadline next_start_ = Deadline::immediately();
  int os_error_ = 0;
};

}  // namespace

bool ends_at_itself(int fd) noexcept {
  if (local_address(fd) != peer_address(fd)) return false;
  const linger reset{.l_onoff = 1, .l_linger = 0};
  ::setsockopt(fd, SOL_SOCKET, SO_LINGER, &reset, sizeof reset);
  return true;
}

std::vector<std::size_t> attempt_order(std::span<const SocketAddress> addresses) {
  std::vector<std::size_t> first, other, order;
  for (std::size_t i = 0; i < addresses.size(); ++i)
    (addresses[i].family() == addresses[0].family() ? first : other).push_back(i);
  for (std::size_t i = 0; i < std::max(first.size(), other.size()); ++i) {
    if (i < first.size()) order.push_back(first[i]);
    if (i < other.size()) order.push_back(other[i]);
  }
  return order;
}

Descriptor connect_to(const SocketAddress& address, Deadline deadline, int& os_error,
                      const SocketBuffers& buffers) {
  const std::int64_t began = steady_now();
  Descriptor socket = begin(address, buffers, os_error);
  if (os_error == EINPROGRESS)
    os_error = wait_for(socket.get(), POLLOUT, deadline) ? outcome(socket.get()) : ETIMEDOUT;
  if (os_error == 0) os_error = finish(socket.get(), address);
  if (os_error != 0) {
    socket.reset();
    note_failure(address, began, os_error);
  }
  return socket;
}

/// A Unix-domain connect() does not go on in the background: where the backlog is full it waits in the call, as long as a send may.
Descriptor connect_to_path(const SocketAddress& address, Deadline deadline, int& os_error,
                           const SocketBuffers& buffers) {
  const std::int64_t began = steady_now();
  Descriptor socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  os_error = socket ? EINTR : errno;
  set_buffers(socket.get(), buffers);
  while (os_error == EINTR || (os_error == EAGAIN && !deadline.expired())) {
    set_send_timeout(socket.get(), deadline);
    os_error = ::connect(socket.get(), address.get(), address.size()) == 0 ? 0 : errno;
  }
  if (os_error == 0 && !deadline.is_never()) set_send_timeout(socket.get(), Deadline::never());
  if (os_error == EAGAIN) os_error = ETIMEDOUT;
  if (os_error != 0) {
    socket.reset();
    note_failure(address, began, os_error);
  }
  return socket;
}

Connected connect_first(std::span<const SocketAddress> addresses, Deadline deadline, int& os_error,
                        const SocketBuffers& buffers) {
  if (addresses.size() != 1) return Race(addresses, deadline, buffers).run(os_error);
  auto* const connect = addresses[0].family() == AF_UNIX ? connect_to_path : connect_to;
  return {connect(addresses[0], deadline, os_error, buffers), 0};
}

Descriptor connect_stream(std::span<const SocketAddress> addresses, Deadline deadline, int& os_error,
                          const SocketBuffers& buffers) {
  return connect_first(addresses, deadline, os_error, buffers).socket;
}

}  // namespace tenon::net
