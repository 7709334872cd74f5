// SPDX-License-Identifier: Apache-2.0
//
// The memory of threads' stacks, mapped many stacks at a time. A thread that ends on a stack of the C library's gives its memory back,
// for which the kernel interrupts the other processors; stacks from here are given back together.
// Threads: one at a time.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace tenon::orb {

class Stacks {
 public:
  /// Of stacks of `size` octets each, the guard page included; rounded up to whole pages.
  explicit Stacks(std::size_t size);
  Stacks(const Stacks&) = delete;
  Stacks& operator=(const Stacks&) = delete;
  /// No thread runs on any of them.
  ~Stacks();

  /// The part of a stack that a thread may use; a page below it cannot be touched. Valid as long as this object, and the same until
  /// taken() is called. Nothing: no memory for it.
  [[nodiscard]] std::optional<std::span<std::byte>> next();
  /// The last next() gave a stack, and a thread has it now.
  void taken() noexcept { used_ += size_; }

 private:
  bool map_more();

  const std::size_t page_;
  const std::size_t size_;
  std::vector<std::span<std::byte>> blocks_;
  std::size_t used_ = 0;  // octets of the last block
};

}  // namespace tenon::orb
