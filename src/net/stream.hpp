// SPDX-License-Identifier: Apache-2.0
//
// A connected stream socket (TCP or Unix-domain) that stays blocking, with its time-outs set once in the kernel. One system call
// moves bytes when the deadline is infinite; a finite deadline that ends before the time-out pays one poll more, and only then
// is the clock read.
//
// Not here: how it came to be connected (connect.hpp, listener.hpp); messages.
// Never raises SIGPIPE. Threads: one sends, one receives, anybody shuts down.
#pragma once

#include <sys/types.h>
#include <sys/uio.h>

#include <atomic>
#include <cstdint>
#include <span>

#include "base/bytes.hpp"
#include "base/clock.hpp"
#include "net/descriptor.hpp"

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

  /// Sends from the front of the bytes; blocks until some have moved. May move less than all.
  Moved send(ByteView bytes, Deadline deadline) noexcept;
  /// The same for several pieces, of which the kernel takes at most IOV_MAX.
  Moved send(std::span<const iovec> pieces, Deadline deadline) noexcept;
  /// Blocks until at least one byte came; `into` has room for one. After shut_down() what the kernel still holds is given out, then ESHUTDOWN.
  Moved receive(MutableBytes into, Deadline deadline) noexcept;

  /// Waits until receive() would not block: data, end of stream or an error. False: the deadline went by.
  bool wait(Deadline deadline) noexcept;

  /// Ends both directions and wakes who is blocked. Idempotent, any thread.
  void shut_down() noexcept;

  int descriptor() const noexcept { return socket_.get(); }

 private:
  Moved send_slowly(std::span<const iovec> pieces, Deadline deadline, int error) noexcept;
  Moved receive_slowly(MutableBytes into, Deadline deadline, int error) noexcept;
  Moved end_of_stream() const noexcept;

  Descriptor socket_;
  std::uint32_t send_ms_ = 0;
  std::uint32_t receive_ms_ = 0;
  std::atomic<bool> shut_{false};
};

/// TCP_NODELAY and, if wanted, keep-alive probes.
void prepare_tcp(int fd, bool keep_alive) noexcept;

}  // namespace tenon::net
