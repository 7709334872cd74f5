// SPDX-License-Identifier: Apache-2.0
//
// An array that grows without moving: chunk k holds First << k elements. at() takes no lock and may be called by any thread with
// any index; growing is for one thread at a time. Chunks come from a pool and go back to it, so that a thread that still looks at an
// element of a recycled chunk looks at an element of the same type.
#pragma once

#include <atomic>
#include <bit>
#include <cstdint>
#include <memory>
#include <type_traits>

#include "base/huge_pages.hpp"
#include "base/memory.hpp"

namespace tenon {

/// What the pools of all StableArrays have in common: chunks as memory.
class ChunkPool {
 protected:
  /// As many of them as there are chunks, so that giving back never allocates. `given` is any chunk of a size, not this one's own.
  struct Chunk {
    void* elements;
    std::size_t count;
    Chunk* next_made;
    void* given;
    Chunk* next_given;
  };

  ChunkPool() = default;
  ChunkPool(const ChunkPool&) = delete;
  ChunkPool& operator=(const ChunkPool&) = delete;
  ~ChunkPool();

  /// Null: none of that size has been given back.
  void* take(Chunk*& given) noexcept;
  /// Memory of a new chunk for so many elements; null: there is none.
  void* make(memory::Kind kind, std::size_t octets, std::size_t count) noexcept;
  void give(Chunk*& given, void* elements) noexcept;

  Chunk* made_ = nullptr;
  Chunk* spare_ = nullptr;
};

template <typename T, unsigned FirstBits, unsigned Chunks, memory::Kind kind>
class StableArray {
 public:
  /// Keeps chunks that are not used by any array. Guarded by the owner's mutex.
  class Pool : private ChunkPool {
   public:
    Pool() = default;
    ~Pool() {
      if constexpr (!std::is_trivially_destructible_v<T>) {
        for (Chunk* each = made_; each != nullptr; each = each->next_made)
          std::destroy_n(static_cast<T*>(each->elements), each->count);
      }
    }
    /// Null: there is no memory for another chunk.
    T* take(unsigned chunk) noexcept {
      if (void* const used = ChunkPool::take(given_[chunk])) return static_cast<T*>(used);
      T* const fresh = static_cast<T*>(make(kind, size(chunk) * sizeof(T), size(chunk)));
      if (fresh != nullptr) std::uninitialized_value_construct_n(fresh, size(chunk));
      return fresh;
    }
    void give(unsigned chunk, T* elements) noexcept { ChunkPool::give(given_[chunk], elements); }

   private:
    Chunk* given_[Chunks] = {};
  };
  static_assert(alignof(T) <= 64);

  static constexpr std::uint32_t capacity =
      static_cast<std::uint32_t>(((std::uint64_t{1} << Chunks) - 1) << FirstBits);
  static constexpr std::size_t size(unsigned chunk) noexcept { return std::size_t{1} << (FirstBits + chunk); }

  /// The element, or null where there is none yet.
  T* at(std::uint32_t index) const noexcept {
    const std::uint64_t place = std::uint64_t{index} + (1u << FirstBits);
    const unsigned top = static_cast<unsigned>(std::bit_width(place)) - 1;
    const unsigned chunk = top - FirstBits;
    if (chunk >= Chunks) [[unlikely]]
      return nullptr;
    T* elements = chunks_[chunk].load(std::memory_order_acquire);
    if (elements == nullptr) [[unlikely]]
      return nullptr;
    return elements + (place ^ (std::uint64_t{1} << top));
  }

  /// Makes the element at(index); null: there is no memory for it. `index` must be that of the first element that does not exist yet.
  T* grow(std::uint32_t index, Pool& pool) noexcept {
    const unsigned chunk =
        static_cast<unsigned>(std::bit_width(std::uint64_t{index} + (1u << FirstBits))) - 1 - FirstBits;
    if (chunks_[chunk].load(std::memory_order_relaxed) == nullptr) {
      T* const taken = pool.take(chunk);
      if (taken == nullptr) return nullptr;
      chunks_[chunk].store(taken, std::memory_order_release);
    }
    return at(index);
  }
  void give_back(Pool& pool) noexcept {
    for (unsigned chunk = 0; chunk < Chunks; ++chunk) {
      if (T* elements = chunks_[chunk].exchange(nullptr, std::memory_order_relaxed))
        pool.give(chunk, elements);
    }
  }

 private:
  std::atomic<T*> chunks_[Chunks] = {};
};

}  // namespace tenon
