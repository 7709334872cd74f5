// SPDX-License-Identifier: Apache-2.0
//
// Deadlines and the time of day where time_t has 32 bits.
#include "base/clock.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <string>
#include <thread>

#include "base/thread_annotations.hpp"
#include "base/wall_clock.hpp"

namespace tenon {
namespace {

TEST(Clock, WholeSecondsAreAtMostWhatTheTypeHolds) {
  EXPECT_EQ(whole_seconds<std::int32_t>(1'999'999'999), 1);
  EXPECT_EQ(whole_seconds<std::int32_t>(INT64_MAX), INT32_MAX);
  EXPECT_EQ(whole_seconds<std::int64_t>(INT64_MAX), INT64_MAX / 1'000'000'000);
}

// Cut to 32 bits, its seconds are those of now.
TEST(Clock, AFarDeadlineIsNotOverAtOnce) {
  Mutex mutex;
  CondVar changed;
  const Deadline far = Deadline::after_ns((std::int64_t{1} << 32) * 1'000'000'000);
  ASSERT_FALSE(far.is_never());
  EXPECT_FALSE(far.expired());
  bool done = false, woken = true;
  std::thread other;
  {
    const LockGuard lock(mutex);
    other = std::thread([&] {  // gets the mutex once the other thread waits
      const LockGuard their_lock(mutex);
      done = true;
      changed.notify_one();
    });
    while (!done && woken) woken = changed.wait_until(mutex, far);
  }
  other.join();
  EXPECT_TRUE(woken);
}

TEST(WallClock, IsTheSystemsClock) {
  const auto before = std::chrono::system_clock::now().time_since_epoch();
  const std::chrono::nanoseconds now(wall_clock_now());
  const auto after = std::chrono::system_clock::now().time_since_epoch();
  EXPECT_LE(before, now);
  EXPECT_LE(now, after);
}

TEST(WallClock, TellsTheTimeOfDayAfter2038) {
  const char* const set = std::getenv("TZ");
  const std::string before = set != nullptr ? set : "";
  ::setenv("TZ", "CET-1CEST,M3.5.0,M10.5.0/3", 1);
  ::tzset();
  const struct {
    std::int64_t seconds;
    int hour, minute, second;
  } cases[] = {{0, 1, 0, 0},              // 1 January 1970
               {2147483647, 4, 14, 7},    // 19 January 2038
               {2147483648, 4, 14, 8},    //
               {2539686896, 14, 34, 56},  // 24 June 2050, in summer
               {2524653296, 13, 34, 56},  // 1 January 2050
               {4102444799, 0, 59, 59}};  // 31 December 2099
  for (const auto& each : cases) {
    const std::tm told = time_of_day(each.seconds);
    EXPECT_EQ(told.tm_hour, each.hour) << each.seconds;
    EXPECT_EQ(told.tm_min, each.minute) << each.seconds;
    EXPECT_EQ(told.tm_sec, each.second) << each.seconds;
  }
  if (set != nullptr) {
    ::setenv("TZ", before.c_str(), 1);
  } else {
    ::unsetenv("TZ");
  }
  ::tzset();
}

}  // namespace
}  // namespace tenon
