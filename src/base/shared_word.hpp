// SPDX-License-Identifier: Apache-2.0
//
// The part of std::atomic that reference counts and flags need, for headers that generated code includes: in C++20, <atomic> includes
// threads and their errors, a tenth of the time to compile such a file (docs/decisions/0032). Other code uses std::atomic.
#pragma once

namespace tenon {

/// An integer, bool or pointer that threads share. Operations have the memory order in their names; those without one acquire and release.
template <typename T>
class SharedWord {
 public:
  constexpr SharedWord() noexcept = default;
  constexpr explicit SharedWord(T value) noexcept : value_(value) {}
  SharedWord(const SharedWord&) = delete;
  SharedWord& operator=(const SharedWord&) = delete;

  T relaxed() const noexcept { return __atomic_load_n(&value_, __ATOMIC_RELAXED); }
  T acquire() const noexcept { return __atomic_load_n(&value_, __ATOMIC_ACQUIRE); }
  void set_relaxed(T value) noexcept { __atomic_store_n(&value_, value, __ATOMIC_RELAXED); }
  void release(T value) noexcept { __atomic_store_n(&value_, value, __ATOMIC_RELEASE); }
  /// These three return the value from before.
  T add_relaxed(T more) noexcept { return __atomic_fetch_add(&value_, more, __ATOMIC_RELAXED); }
  T subtract(T less) noexcept { return __atomic_fetch_sub(&value_, less, __ATOMIC_ACQ_REL); }
  T exchange_acquire(T value) noexcept { return __atomic_exchange_n(&value_, value, __ATOMIC_ACQUIRE); }
  /// Stores `value` if the word holds `expected`. False: it held another one, which `expected` is now; the weak form may fail spuriously.
  bool replace(T& expected, T value) noexcept {
    return __atomic_compare_exchange_n(&value_, &expected, value, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
  }
  bool replace_weak(T& expected, T value) noexcept {
    return __atomic_compare_exchange_n(&value_, &expected, value, true, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
  }

 private:
  T value_{};
};

}  // namespace tenon
