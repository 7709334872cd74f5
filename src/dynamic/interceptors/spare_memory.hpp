// SPDX-License-Identifier: Apache-2.0
//
// What operator new and operator delete of objects call that each observed call makes anew. Private to src/dynamic.
#pragma once

#include <cstddef>
#include <new>
#include <utility>

namespace tenon::dynamic {

/// Memory that a thread keeps for its next object of class `Of`.
template <typename Of>
class SpareMemory {
 public:
  /// `size`: that of an `Of`.
  static void* take(std::size_t size) {
    void* const kept = std::exchange(spare_.memory, nullptr);
    return kept != nullptr ? kept : ::operator new(size);
  }
  static void give(void* memory) noexcept {
    ::operator delete(spare_.thread_ends ? memory : std::exchange(spare_.memory, memory));
  }

 private:
  struct Spare {
    ~Spare() {
      ::operator delete(std::exchange(memory, nullptr));
      thread_ends = true;
    }
    void* memory = nullptr;
    bool thread_ends = false;
  };
  static inline constinit thread_local Spare spare_;
};

}  // namespace tenon::dynamic
