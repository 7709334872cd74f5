// SPDX-License-Identifier: Apache-2.0
//
// Byte buffers for messages, recycled per thread: in steady state a call acquires and releases without the
// heap and without a lock. A buffer may be released on another thread than the one that acquired it.
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
  /// Buffers above this are given back to the heap instead of being kept for the next call.
  static constexpr std::size_t largest_kept = 512 * 1024;

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
