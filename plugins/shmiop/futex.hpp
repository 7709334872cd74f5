// SPDX-License-Identifier: Apache-2.0
//
// Sleeping on a word of memory that two processes share. No state; any thread of any process that has the word.
#pragma once

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <climits>
#include <cstdint>

namespace tenon::shmiop {

using Word = std::atomic<std::uint32_t>;
static_assert(Word::is_always_lock_free && sizeof(Word) == 4, "the kernel reads it");

/// Sleeps while the word has that value, for `ns` at most (below 2 s). False: the time is over.
inline bool wait_on(Word& word, std::uint32_t value, std::int64_t ns) noexcept {
  // The kernel's own layout for this system call, whatever size time_t has.
  struct {
    long seconds;
    long nanoseconds;
  } const left = {static_cast<long>(ns / 1'000'000'000), static_cast<long>(ns % 1'000'000'000)};
  return ::syscall(SYS_futex, &word, FUTEX_WAIT, value, &left, nullptr, 0) == 0 || errno != ETIMEDOUT;
}

/// Wakes whoever sleeps on the word.
inline void wake_on(Word& word) noexcept {
  ::syscall(SYS_futex, &word, FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
}

}  // namespace tenon::shmiop
