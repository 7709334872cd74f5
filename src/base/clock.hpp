// SPDX-License-Identifier: Apache-2.0
//
// Points in time on the steady clock, in nanoseconds. Deadlines are absolute, so that they pass unchanged
// through layers that wait several times. No state; safe from any thread.
#pragma once

#include <time.h>

#include <algorithm>
#include <climits>
#include <compare>
#include <cstdint>
#include <limits>

namespace tenon {

/// Nanoseconds since an arbitrary start; never goes back; does not follow the wall clock.
inline std::int64_t steady_now() noexcept {
  timespec now{};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  return std::int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

/// The whole seconds of a time in nanoseconds, for a structure of the system; where its type has 32 bits, at most what that holds.
template <typename Seconds>
constexpr Seconds whole_seconds(std::int64_t ns) noexcept {
  constexpr std::int64_t most = std::numeric_limits<Seconds>::max();
  return static_cast<Seconds>(std::min(ns / 1'000'000'000, most));
}

/// An absolute point on the steady clock, or never.
class Deadline {
 public:
  constexpr Deadline() noexcept = default;  ///< never
  static constexpr Deadline never() noexcept { return {}; }
  /// Has passed already: take what is there, and do not wait.
  static constexpr Deadline immediately() noexcept { return Deadline(0); }
  static constexpr Deadline at(std::int64_t steady_ns) noexcept { return Deadline(steady_ns); }
  static Deadline after_ns(std::int64_t ns) noexcept {
    const std::int64_t now = steady_now();
    return Deadline(ns >= infinite - now ? infinite : now + ns);
  }
  static Deadline after_ms(std::int64_t ms) noexcept {
    return ms >= infinite / 1'000'000 ? never() : after_ns(ms * 1'000'000);
  }

  constexpr bool is_never() const noexcept { return at_ == infinite; }
  constexpr bool is_immediate() const noexcept { return at_ == 0; }
  constexpr std::int64_t ns() const noexcept { return at_; }
  bool expired() const noexcept { return !is_never() && steady_now() >= at_; }

  /// The time that is left, at least 0; the largest number for never().
  std::int64_t remaining_ns() const noexcept {
    if (is_never()) return infinite;
    const std::int64_t now = steady_now();
    return now >= at_ ? 0 : at_ - now;
  }
  /// The time that is left, as poll() takes it: rounded up, so that no thread wakes early; -1 for never().
  int remaining_ms() const noexcept {
    if (is_never()) return -1;
    const std::int64_t left = remaining_ns();
    const std::int64_t ms = left / 1'000'000 + (left % 1'000'000 != 0 ? 1 : 0);
    return ms > INT_MAX ? INT_MAX : static_cast<int>(ms);
  }

  constexpr auto operator<=>(const Deadline&) const noexcept = default;

 private:
  static constexpr std::int64_t infinite = INT64_MAX;
  constexpr explicit Deadline(std::int64_t at_ns) noexcept : at_(at_ns) {}

  std::int64_t at_ = infinite;
};

constexpr Deadline earlier(Deadline a, Deadline b) noexcept { return a < b ? a : b; }

}  // namespace tenon
