// SPDX-License-Identifier: Apache-2.0
//
// What operator new and operator delete of objects call that each observed call makes anew. Private to src/dynamic.
#pragma once

#include <pthread.h>

#include <cstddef>
#include <cstdint>
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
    if (spare_.state != State::keeps && !keeps_from_now_on()) {
      ::operator delete(memory);
    } else {
      ::operator delete(std::exchange(spare_.memory, memory));
    }
  }

 private:
  enum class State : std::uint8_t { unused, keeps, never };
  // Without a destructor, which each use would have to see to, and for which a thread may find no memory.
  struct Spare {
    void* memory = nullptr;
    State state = State::unused;
  };

  [[gnu::cold, gnu::noinline]] static bool keeps_from_now_on() noexcept {
    if (spare_.state == State::never) return false;
    struct Key {
      Key() noexcept : made(::pthread_key_create(&key, end_of_thread) == 0) {}
      pthread_key_t key{};
      bool made;
    };
    static const Key key;
    spare_.state = key.made && ::pthread_setspecific(key.key, &key) == 0 ? State::keeps : State::never;
    return spare_.state == State::keeps;
  }
  static void end_of_thread(void*) noexcept {
    spare_.state = State::never;
    ::operator delete(std::exchange(spare_.memory, nullptr));
  }

  static inline constinit thread_local Spare spare_;
};

}  // namespace tenon::dynamic
