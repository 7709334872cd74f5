// SPDX-License-Identifier: Apache-2.0
//
// Byte buffers for messages, recycled per thread: in steady state a call acquires and releases without the
// heap and without a lock. A buffer may be released on another thread than the one that acquired it.
//
// Large ones are pages of the system, which have them back when they are released, and grow without being copied where the system can
// move pages. The process keeps a few of the moderate ones (kept_by_process), so that large messages which come one
// right after the other do not pay for fresh pages each.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

namespace tenon {

/// Owns `capacity()` uninitialised bytes whose start is aligned to 64. Move only.
class Buffer {
 public:
  /// What a small message needs; acquire(0) gives at least this much.
  static constexpr std::size_t small = 8 * 1024;
  /// Buffers above this are pages of the system, and no thread keeps them for its next call.
  static constexpr std::size_t largest_kept = 512 * 1024;
  /// Octets of such buffers that the process keeps at most.
  static constexpr std::size_t kept_by_process = 8 << 20;

  Buffer() noexcept = default;
  Buffer(Buffer&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), capacity_(std::exchange(other.capacity_, 0)) {}
  Buffer& operator=(Buffer&& other) noexcept {
    if (this != &other) {
      release();
      data_ = std::exchange(other.data_, nullptr);
      capacity_ = std::exchange(other.capacity_, 0);
    }
    return *this;
  }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  ~Buffer() { release(); }

  /// At least `bytes` bytes; an empty buffer (data() == nullptr) when memory is short.
  static Buffer acquire(std::size_t bytes) noexcept;
  /// The capacity of a fresh buffer for so many bytes; 0: there is no such buffer. A large one that is used again may have more.
  static std::size_t capacity_for(std::size_t bytes) noexcept;
  /// At least `bytes` bytes, of which the first `size` are those that began at `from`; the rest has no value. False: memory is short, and
  /// nothing has changed.
  bool grow(std::size_t bytes, std::size_t from, std::size_t size) noexcept;
  /// Shrinks a mapped buffer that has more than a fresh one for so many bytes would; it stays mapped, so above largest_kept.
  void trim(std::size_t bytes) noexcept;
  void release() noexcept {
    if (data_ != nullptr) give_back();
  }

  std::uint8_t* data() const noexcept { return data_; }
  std::size_t capacity() const noexcept { return capacity_; }
  explicit operator bool() const noexcept { return data_ != nullptr; }

 private:
  void give_back() noexcept;

  std::uint8_t* data_ = nullptr;
  std::size_t capacity_ = 0;
};

}  // namespace tenon
