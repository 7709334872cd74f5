// SPDX-License-Identifier: Apache-2.0
//
// What programs with tenon::parts::log write, and those without it.
#include "base/log.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>

#include "tenon/parts.hpp"

namespace tenon {
namespace {

/// Becomes a process whose start-up has not named the part.
void have_no_log(const char* level) {
  ::setenv("TENON_LOG", level, 1);
  log_detail::writer = nullptr;
  log_detail::threshold = 0;
  log_detail::chosen = false;
}

/// 3: errors are enabled.
[[noreturn]] void write_and_end() {
  log(LogLevel::error, "test", "lost");
  advise("test", "think");
  ::_exit(log_enabled(LogLevel::error) ? 3 : 4);
}

TEST(LogPartDeathTest, WithoutItNothingIsWritten) {
  EXPECT_EXIT((have_no_log("trace"), write_and_end()), testing::ExitedWithCode(4), "^$");
}

TEST(LogPartDeathTest, ThePartReadsTheEnvironment) {
  const auto with_part = [](const char* level) {
    have_no_log(level);
    orb::Parts some;
    parts::log(some);
    write_and_end();
  };
  EXPECT_EXIT(with_part("error"), testing::ExitedWithCode(3), "^tenon error .test. lost\n$");
  EXPECT_EXIT(with_part(""), testing::ExitedWithCode(4), "^tenon warning .test. think\n$");
}

TEST(LogPartDeathTest, AProgramThatSetsALevelHasTheLog) {
  const auto with_level = [](LogLevel level) {
    have_no_log("trace");
    set_log_level(level);
    orb::Parts some;
    parts::log(some);  // leaves the level as it is
    write_and_end();
  };
  EXPECT_EXIT(with_level(LogLevel::error), testing::ExitedWithCode(3), "^tenon error .test. lost\n$");
  EXPECT_EXIT(with_level(LogLevel::off), testing::ExitedWithCode(4), "^$");
}

}  // namespace
}  // namespace tenon
