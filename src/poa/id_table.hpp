// SPDX-License-Identifier: Apache-2.0
//
// Finds a 32-bit index by a 64-bit hash: any number of readers without a lock, one writer at a time. The reader says which
// candidate is right; this table only knows hashes.
//
//   cell   63 .. 32        31 .. 0
//        +---------------+-----------+
//        | hash 63 .. 32 | index + 2 |       0: never used (a search ends here)   1: erased (a search goes on)
//        +---------------+-----------+
//
// Open addressing, at most 3/4 full. Growing builds new cells and publishes them; old ones go to a pool whose memory lives as long
// as the adapter, so a reader that is late reads cells, never freed memory. If it misses an entry there, the changed version makes it
// search again.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace tenon::poa {

class IdTable {
 public:
  /// Followed by the cells themselves.
  struct Cells {
    const std::uint32_t mask;
    const unsigned size_bits;
    Cells* next_free;  // both guarded as the pool is
    Cells* next_made;

    std::atomic<std::uint64_t>& cell(std::size_t place) noexcept {
      return reinterpret_cast<std::atomic<std::uint64_t>*>(this + 1)[place];
    }
    const std::atomic<std::uint64_t>& cell(std::size_t place) const noexcept {
      return reinterpret_cast<const std::atomic<std::uint64_t>*>(this + 1)[place];
    }
  };

  /// Cells that are in no table. Guarded by the owner's mutex.
  class Pool {
   public:
    Pool() = default;
    Pool(const Pool&) = delete;
    Pool& operator=(const Pool&) = delete;
    ~Pool();
    /// Null: there is no memory for so many.
    Cells* take(unsigned bits) noexcept;
    void give(Cells* cells) noexcept {
      cells->next_free = free_[cells->size_bits];
      free_[cells->size_bits] = cells;
    }

   private:
    Cells* free_[32] = {};
    Cells* made_ = nullptr;
  };

  /// Calls `matches(index)` for candidates until it returns true. Any thread. At most one pass over the cells for each version.
  template <typename Matches>
  bool find(std::uint64_t hash, Matches&& matches) const {
    for (;;) {
      const std::uint32_t version = version_.load(std::memory_order_acquire);
      if (search(hash, matches)) return true;
      // The cells were read with acquire: a thread that wiped them for another use had changed the version before.
      if (version_.load(std::memory_order_acquire) == version) return false;
    }
  }

  /// Makes room for one more, so that the next insert() allocates nothing. False: there is no memory for it.
  [[nodiscard]] bool reserve_one(Pool& pool) noexcept;
  void insert(std::uint64_t hash, std::uint32_t index) noexcept;
  void erase(std::uint64_t hash, std::uint32_t index) noexcept;
  /// Leaves the table empty, without cells.
  void give_back(Pool& pool) noexcept;

 private:
  static constexpr std::uint64_t erased = 1;
  static std::uint64_t cell_of(std::uint64_t hash, std::uint32_t index) noexcept {
    return (hash & 0xFFFFFFFF00000000u) | (std::uint64_t{index} + 2);
  }

  template <typename Matches>
  bool search(std::uint64_t hash, Matches& matches) const {
    const Cells* cells = cells_.load(std::memory_order_acquire);
    if (cells == nullptr) return false;
    const auto top = static_cast<std::uint32_t>(hash >> 32);
    for (std::uint32_t step = 0; step <= cells->mask; ++step) {
      const std::uint64_t cell = cells->cell((top + step) & cells->mask).load(std::memory_order_acquire);
      if (cell == 0) return false;
      if (static_cast<std::uint32_t>(cell >> 32) == top && static_cast<std::uint32_t>(cell) >= 2 &&
          matches(static_cast<std::uint32_t>(cell) - 2)) {
        return true;
      }
    }
    return false;
  }

  std::atomic<Cells*> cells_{nullptr};
  std::atomic<std::uint32_t> version_{0};
  std::uint32_t used_ = 0;  // cells that are not 0, erased ones included
  std::uint32_t live_ = 0;
};

}  // namespace tenon::poa
