// SPDX-License-Identifier: Apache-2.0
//
// A connected stream socket (TCP or Unix-domain) that stays blocking, with its time-outs set once in the kernel. One system call
// moves bytes when the deadline is infinite, or immediate for a send. With another one that ends before the time-out, a receive polls first,
// and a send polls when there is no room.
//
// Not here: how it came to be connected (connect.hpp, listener.hpp); messages.
// Never raises SIGPIPE. Threads: one sends, one receives, any thread may shut down.
#pragma once

#include <sys/types.h>
#include <sys/uio.h>

#include <atomic>
#include <cerrno>
#include <cstdint>
#include <span>

#include "base/bytes.hpp"
#include "base/clock.hpp"
#include "net/descriptor.hpp"
#include "net/keep_alive.hpp"
#include "net/socket_calls.hpp"

namespace tenon::net {

/// Bytes that moved, or why none did. Nothing moved in time: error == EAGAIN. End of stream: 0 bytes and no error.
struct Moved {
  std::size_t bytes = 0;
  int error = 0;  ///< an errno value
};

class Stream {
 public:
  explicit Stream(Descriptor socket) noexcept : socket_(std::move(socket)) {}

  /// Milliseconds; 0: none. The kernel rounds up to its clock tick. Once, before use.
  void set_timeouts(std::uint32_t send_ms, std::uint32_t receive_ms) noexcept;
  /// At any time, by the receiving thread.
  void set_receive_timeout(std::uint32_t ms) noexcept;

  /// Sends from the front of the bytes; blocks until some have moved. May move less than all.
  Moved send(ByteView bytes, Deadline deadline) noexcept {
    if (!deadline.is_immediate()) [[unlikely]]
      return send_first(bytes, deadline, 0);
    const ssize_t sent = send_bytes(socket_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent < 0) [[unlikely]]
      return send_first(bytes, deadline, errno);
    return {static_cast<std::size_t>(sent), 0};
  }
  /// Sends what the kernel takes without waiting. TCP keeps it until shut_down(), for 200 ms at most, so that one segment carries both.
  Moved send_last(ByteView bytes) noexcept;
  /// As send() for several pieces, of which the kernel takes at most IOV_MAX.
  Moved send(std::span<const iovec> pieces, Deadline deadline) noexcept;
  /// Blocks until at least one byte came; `into` has room for one. After shut_down() what the kernel still holds
  /// is given out, then ESHUTDOWN.
  Moved receive(MutableBytes into, Deadline deadline) noexcept {
    ssize_t came = -1;
    if (deadline.is_never()) [[likely]] {
      came = receive_bytes(socket_.get(), into.data(), into.size(), 0);
      if (came > 0) [[likely]]
        return {static_cast<std::size_t>(came), 0};
    }
    return receive_other(into, deadline, came);
  }

  /// Waits until receive() would not block: data, end of stream or an error. False: the deadline went by.
  bool wait(Deadline deadline) noexcept;

  /// Ends both directions and wakes threads that are blocked. Idempotent, any thread.
  void shut_down() noexcept;

  int descriptor() const noexcept { return socket_.get(); }

 private:
  Moved send_first(ByteView bytes, Deadline deadline, int error) noexcept;
  Moved receive_other(MutableBytes into, Deadline deadline, ssize_t came) noexcept;
  Moved wait_and_send(std::span<const iovec> pieces, Deadline deadline, int error) noexcept;
  Moved wait_and_receive(MutableBytes into, Deadline deadline, int error) noexcept;
  Moved end_of_stream() const noexcept;

  Descriptor socket_;
  std::uint32_t send_ms_ = 0;
  std::uint32_t receive_ms_ = 0;
  std::atomic<bool> shut_{false};
};

/// TCP_NODELAY and keep-alive probes, if wanted.
void prepare_tcp(int fd, const KeepAlive& keep_alive, bool no_delay = true) noexcept;

}  // namespace tenon::net
