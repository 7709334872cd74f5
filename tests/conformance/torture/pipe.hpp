// SPDX-License-Identifier: Apache-2.0
//
// One direction of a connection inside the process: a bounded queue of bytes. Two of them make a torture connection.
// Threads: one writes, one reads, anybody closes or breaks it.
#pragma once

#include <vector>

#include "base/bytes.hpp"
#include "base/thread_annotations.hpp"
#include "protocol/transport.hpp"

namespace tenon::torture {

class Pipe {
 public:
  static constexpr std::size_t capacity = 64 * 1024;

  /// Puts up to `most` bytes from the front of the pieces; blocks while the pipe is full.
  protocol::Transfer write(std::span<const cdr::Piece> from, std::size_t most, Deadline deadline);
  /// Copies up to into.size() bytes out without removing them; blocks while the pipe is empty.
  protocol::Transfer peek(MutableBytes into, Deadline deadline);
  void drop(std::size_t bytes);
  bool wait(Deadline deadline);

  /// No more bytes will come; those that are there can still be read.
  void close() noexcept;
  /// Nobody will read any more: writing fails, reading fails with ESHUTDOWN once the pipe is empty.
  void close_reading() noexcept;
  /// What is in it is lost, both ends fail.
  void break_off() noexcept;

 private:
  std::size_t size() const TENON_REQUIRES(mutex_) { return bytes_.size() - front_; }

  Mutex mutex_;
  CondVar changed_;
  std::vector<std::uint8_t> bytes_ TENON_GUARDED_BY(mutex_);
  std::size_t front_ TENON_GUARDED_BY(mutex_) = 0;
  bool closed_ TENON_GUARDED_BY(mutex_) = false;
  bool unread_ TENON_GUARDED_BY(mutex_) = false;
  bool broken_ TENON_GUARDED_BY(mutex_) = false;
};

}  // namespace tenon::torture
