// SPDX-License-Identifier: Apache-2.0
//
// Byte buffers for messages, recycled per thread: in steady state a call acquires and releases without the
// heap and without a lock. A buffer may be released on another thread than the one that acquired it.
//
// Large buffers are pages of the system. They go back to it when they are released, and growing copies nothing where the system can
// move pages. The process keeps a few large buffers of moderate size (kept_by_process), so that large messages which come one
// right after the other do not each need fresh pages.
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
  /// Owns pages that were mapped elsewhere, and unmaps or reuses them later: private, readable and writable, more than largest_kept.
  static Buffer adopt(std::uint8_t* pages, std::size_t bytes) noexcept {
    Buffer buffer;
    buffer.data_ = pages;
    buffer.capacity_ = bytes;
    return buffer;
  }
  /// The capacity of a fresh buffer for `bytes` bytes; 0: no buffer is so large. A large one that is used again may have more.
  static std::size_t capacity_for(std::size_t bytes) noexcept;
  /// Grows to at least `bytes` bytes. The `size` bytes that began at `from` are the first ones afterwards; the rest is uninitialised.
  /// False: memory is short, and nothing has changed.
  bool grow(std::size_t bytes, std::size_t from, std::size_t size) noexcept;
  /// Shrinks a buffer that consists of pages to what a fresh one for `bytes` bytes would have, but not to largest_kept or less.
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
