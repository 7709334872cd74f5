// SPDX-License-Identifier: Apache-2.0
//
// What operator new and operator delete of objects call that each observed call makes anew. Private to src/dynamic.
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>
#include <utility>

#include "base/thread_end.hpp"

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
    if (spare_.state == State::keeps || keeps_from_now_on()) memory = std::exchange(spare_.memory, memory);
    if (memory != nullptr) ::operator delete(memory);
  }

 private:
  enum class State : std::uint8_t { unused, keeps, never };
  struct Spare {
    void* memory = nullptr;
    State state = State::unused;
  };

  [[gnu::cold, gnu::noinline]] static bool keeps_from_now_on() noexcept {
    if (spare_.state == State::unused) {
      spare_.state = run_at_thread_end<end_of_thread>() ? State::keeps : State::never;
    }
    return spare_.state == State::keeps;
  }
  static void end_of_thread(void* /*unused*/) noexcept {
    spare_.state = State::never;
    ::operator delete(std::exchange(spare_.memory, nullptr));
  }

  static inline constinit thread_local Spare spare_;
};

}  // namespace tenon::dynamic
