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
#include <new>
#include <vector>

#include "base/huge_pages.hpp"

namespace tenon {

template <typename T, unsigned FirstBits, unsigned Chunks>
class StableArray {
 public:
  /// Keeps chunks that are not used by any array. Guarded by the owner's mutex.
  class Pool {
   public:
    T* take(unsigned chunk) {
      std::vector<T*>& free = free_[chunk];
      if (!free.empty()) {
        T* taken = free.back();
        free.pop_back();
        return taken;
      }
      free.reserve(++made_[chunk]);  // giving back never allocates
      all_.push_back(make(size(chunk)));
      return all_.back().get();
    }
    void give(unsigned chunk, T* elements) noexcept { free_[chunk].push_back(elements); }

   private:
    struct Destroy {
      std::size_t count;
      void operator()(T* elements) const noexcept {
        std::destroy_n(elements, count);
        ::operator delete(elements, alignment(count));
      }
    };
    using Chunk = std::unique_ptr<T, Destroy>;

    static std::align_val_t alignment(std::size_t count) noexcept {
      return std::align_val_t{count * sizeof(T) >= huge_page ? huge_page : alignof(T)};
    }
    static Chunk make(std::size_t count) {
      void* const memory = ::operator new(count * sizeof(T), alignment(count));
      if (count * sizeof(T) >= huge_page) prefer_huge_pages(memory, count * sizeof(T));
      T* const elements = static_cast<T*>(memory);
      std::uninitialized_value_construct_n(elements, count);
      return {elements, Destroy{count}};
    }

    std::vector<T*> free_[Chunks];
    std::size_t made_[Chunks] = {};
    std::vector<Chunk> all_;
  };

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

  /// Makes the element at(index). `index` must be that of the first element that does not exist yet.
  T* grow(std::uint32_t index, Pool& pool) {
    const unsigned chunk =
        static_cast<unsigned>(std::bit_width(std::uint64_t{index} + (1u << FirstBits))) - 1 - FirstBits;
    if (chunks_[chunk].load(std::memory_order_relaxed) == nullptr) {
      chunks_[chunk].store(pool.take(chunk), std::memory_order_release);
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
