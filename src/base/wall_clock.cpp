// SPDX-License-Identifier: Apache-2.0
#include "base/wall_clock.hpp"

#include <sys/syscall.h>
#include <unistd.h>

#include <limits>

namespace tenon {

namespace {

/// As long as the calendar, with its days of the week, needs to begin again.
constexpr std::int64_t seconds_in_28_years = std::int64_t{28 * 365 + 7} * 24 * 60 * 60;

}  // namespace

std::int64_t wall_clock_now() noexcept {
#ifdef SYS_clock_gettime64
  // Only systems that had a time_t of 32 bits have this call, since Linux 5.1. The C library may still have the small time_t.
  std::int64_t large[2] = {};  // the kernel's form: seconds, nanoseconds
  if (::syscall(SYS_clock_gettime64, CLOCK_REALTIME, large) == 0) return large[0] * 1'000'000'000 + large[1];
#endif
  std::timespec now{};
  ::clock_gettime(CLOCK_REALTIME, &now);
  return std::int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

std::tm time_of_day(std::int64_t seconds) noexcept {
  while (seconds > std::numeric_limits<std::time_t>::max()) seconds -= seconds_in_28_years;
  const auto when = static_cast<std::time_t>(seconds);
  std::tm local{};
  ::localtime_r(&when, &local);
  return local;
}

}  // namespace tenon
