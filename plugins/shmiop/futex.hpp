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

/// A time as the kernel has it for this system call, whatever size time_t has.
struct SleepTime {
  /// At most 2 s.
  constexpr explicit SleepTime(std::int64_t ns) noexcept
      : seconds(static_cast<long>(ns / 1'000'000'000)), nanoseconds(static_cast<long>(ns % 1'000'000'000)) {}
  long seconds;
  long nanoseconds;
};

/// Sleeps while the word has that value, for so long at most. False: the time is over.
inline bool wait_on(Word& word, std::uint32_t value, const SleepTime& most) noexcept {
  return ::syscall(SYS_futex, &word, FUTEX_WAIT, value, &most) == 0 || errno != ETIMEDOUT;
}

/// Wakes whoever sleeps on the word.
inline void wake_on(Word& word) noexcept { ::syscall(SYS_futex, &word, FUTEX_WAKE, INT_MAX); }

}  // namespace tenon::shmiop
