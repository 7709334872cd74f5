// SPDX-License-Identifier: Apache-2.0
#include "tests/conformance/torture/pipe.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace tenon::torture {

using protocol::Io;
using protocol::Transfer;

Transfer Pipe::write(std::span<const cdr::Piece> from, std::size_t most, Deadline deadline) {
  LockGuard lock(mutex_);
  while (!closed_ && !unread_ && !broken_ && size() == capacity) {
    if (!changed_.wait_until(mutex_, deadline) && size() == capacity) return {Io::timed_out, 0, 0};
  }
  if (closed_) return {Io::failed, 0, ESHUTDOWN};
  if (broken_) return {Io::failed, 0, ECONNRESET};
  if (unread_) return {Io::failed, 0, EPIPE};
  std::size_t room = std::min(most, capacity - size());
  std::size_t moved = 0;
  for (const cdr::Piece& piece : from) {
    const std::size_t count = std::min(piece.size, room);
    bytes_.insert(bytes_.end(), piece.data, piece.data + count);
    room -= count;
    moved += count;
  }
  changed_.notify_all();
  return {Io::ok, moved, 0};
}

Transfer Pipe::peek(MutableBytes into, Deadline deadline) {
  LockGuard lock(mutex_);
  while (!closed_ && !unread_ && !broken_ && size() == 0) {
    if (!changed_.wait_until(mutex_, deadline) && size() == 0) return {Io::timed_out, 0, 0};
  }
  if (broken_) return {Io::failed, 0, ECONNRESET};
  if (size() == 0) return unread_ ? Transfer{Io::failed, 0, ESHUTDOWN} : Transfer{Io::closed, 0, 0};
  const std::size_t count = std::min(into.size(), size());
  std::memcpy(into.data(), bytes_.data() + front_, count);
  return {Io::ok, count, 0};
}

void Pipe::drop(std::size_t bytes) {
  const LockGuard lock(mutex_);
  front_ += std::min(bytes, size());
  // Moves what is left to the front now and then, so that the vector does not grow without end.
  if (front_ == bytes_.size() || front_ > capacity) {
    bytes_.erase(bytes_.begin(), bytes_.begin() + static_cast<std::ptrdiff_t>(front_));
    front_ = 0;
  }
  changed_.notify_all();
}

bool Pipe::wait(Deadline deadline) {
  LockGuard lock(mutex_);
  while (!closed_ && !unread_ && !broken_ && size() == 0) {
    if (!changed_.wait_until(mutex_, deadline) && size() == 0) return false;
  }
  return true;
}

void Pipe::close() noexcept {
  const LockGuard lock(mutex_);
  closed_ = true;
  changed_.notify_all();
}

void Pipe::close_reading() noexcept {
  const LockGuard lock(mutex_);
  unread_ = true;
  changed_.notify_all();
}

void Pipe::break_off() noexcept {
  const LockGuard lock(mutex_);
  broken_ = true;
  bytes_.clear();
  front_ = 0;
  changed_.notify_all();
}

}  // namespace tenon::torture
