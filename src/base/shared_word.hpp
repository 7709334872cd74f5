// SPDX-License-Identifier: Apache-2.0
//
// What reference counts and flags need of std::atomic, for headers that generated code includes: in C++20, <atomic> brings threads and
// their errors along, a tenth of what such a file takes to compile (docs/decisions/0032). Elsewhere std::atomic does.
#pragma once

namespace tenon {

/// An integer, bool or pointer that threads share. The operations are std::atomic's with that order.
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
  /// Each returns what was there before.
  T add_relaxed(T more) noexcept { return __atomic_fetch_add(&value_, more, __ATOMIC_RELAXED); }
  T subtract(T less) noexcept { return __atomic_fetch_sub(&value_, less, __ATOMIC_ACQ_REL); }
  T exchange_acquire(T value) noexcept { return __atomic_exchange_n(&value_, value, __ATOMIC_ACQUIRE); }
  /// Puts `value` where `expected` is; false: `expected` is now what was there instead, or, if weak, perhaps nothing has happened.
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
