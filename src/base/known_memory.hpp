// SPDX-License-Identifier: Apache-2.0
//
// Memory that is taken once: a pool for each kind, all in one piece of the system's. A pool is a buddy allocator: a block is a power of
// two, at least 64 octets; a larger one is split for a smaller request, and two free halves become one again. So what was used for
// small blocks serves large ones later, and each step takes a time that grows with the logarithm of the pool's size only.
//
// The memory belongs to the process, since buffers do: a second ORB shares it. It is given back never, as there may always be a block
// in use; a later ORB of the same limits uses it again.
//
// Threads: everything from any thread; each pool has a lock.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "base/memory.hpp"
#include "base/thread_annotations.hpp"

namespace tenon::memory {

/// One pool, in memory that belongs to someone else.
class Pool {
 public:
  static constexpr std::size_t smallest = 64;

  struct Used {
    std::size_t reserved = 0;  ///< octets that can be given out
    std::size_t in_use = 0;    ///< octets of blocks that are given out
    std::size_t most = 0;      ///< the most that in_use has ever been
    std::size_t refused = 0;   ///< how often nothing could be given, and count_refusal()
  };

  Pool() = default;
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  /// Octets of the marks that a pool of so many octets needs beside it.
  static constexpr std::size_t marks_for(std::size_t octets) noexcept { return octets / smallest; }
  /// Once, before use. `start` is aligned to 4096, `octets` a multiple of 4096; `marks` has marks_for(octets).
  void open(std::byte* start, std::size_t octets, std::uint8_t* marks) noexcept TENON_EXCLUDES(mutex_);

  void* allocate(std::size_t octets) noexcept TENON_EXCLUDES(mutex_);
  bool owns(const void* memory) const noexcept {
    const auto* const at = static_cast<const std::byte*>(memory);
    return at >= start_ && at < start_ + octets_;
  }
  void release(void* memory) noexcept TENON_EXCLUDES(mutex_);
  void count_refusal() noexcept TENON_EXCLUDES(mutex_);
  Used used() const noexcept TENON_EXCLUDES(mutex_);

 private:
  /// A free block begins with its neighbours in the list of blocks of its size.
  struct Free {
    Free* before;
    Free* next;
  };
  static constexpr unsigned sizes = 40;  // smallest << 39
  static constexpr std::uint8_t is_free = 0x80;
  static constexpr std::uint8_t is_used = 0x40;

  std::uint8_t& mark_of(const std::byte* block) noexcept TENON_REQUIRES(mutex_) {
    return marks_[static_cast<std::size_t>(block - start_) / smallest];
  }
  void put(std::byte* block, unsigned size) noexcept TENON_REQUIRES(mutex_);
  void take(std::byte* block, unsigned size) noexcept TENON_REQUIRES(mutex_);

  mutable Mutex mutex_;
  std::byte* start_ = nullptr;
  std::size_t octets_ = 0;
  std::uint8_t* marks_ TENON_GUARDED_BY(mutex_) =
      nullptr;  // of each block's first 64 octets: free or used, and its size
  Free* free_[sizes] TENON_GUARDED_BY(mutex_) = {};
  Used used_ TENON_GUARDED_BY(mutex_);
};

/// Takes so many octets for each kind, and all that the engine asks for comes from there from now on. Where that has been done before,
/// nothing changes. False: the system has not so much, or what was taken before is less than this.
bool reserve(std::span<const std::size_t, kinds> octets) noexcept;

}  // namespace tenon::memory
