// SPDX-License-Identifier: Apache-2.0
//
// The small parts of base: references, deadlines, locks, callables, hexadecimal, log.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include "base/clock.hpp"
#include "base/function_ref.hpp"
#include "base/hex.hpp"
#include "base/joined.hpp"
#include "base/log.hpp"
#include "base/ref.hpp"
#include "base/thread_annotations.hpp"

namespace tenon {
namespace {

struct Counted : RefCounted {
  explicit Counted(int& alive) : alive_(alive) { ++alive_; }
  int& alive_;

 protected:
  ~Counted() override { --alive_; }
};
struct Derived : Counted {
  using Counted::Counted;
};

TEST(Ref, TheLastReferenceDeletes) {
  int alive = 0;
  {
    const Ref<Derived> first = make_ref<Derived>(alive);
    EXPECT_EQ(first->ref_count(), 1u);
    Ref<Counted> second = first;
    EXPECT_EQ(first->ref_count(), 2u);
    Ref<Counted> third = std::move(second);
    EXPECT_FALSE(second);  // NOLINT(bugprone-use-after-move): it is what is tested
    EXPECT_EQ(third, Ref<Counted>(first));
    third = nullptr;
    EXPECT_EQ(first->ref_count(), 1u);
    EXPECT_EQ(alive, 1);
  }
  EXPECT_EQ(alive, 0);
}

TEST(Ref, DetachAndAdopt) {
  int alive = 0;
  Counted* raw = make_ref<Counted>(alive).detach();
  EXPECT_EQ(alive, 1);
  EXPECT_TRUE(raw->try_add_ref());
  raw->remove_ref();
  Ref<Counted>::adopt(raw).reset();  // NOLINT(clang-analyzer-cplusplus.NewDelete): counts
  EXPECT_EQ(alive, 0);
}

TEST(Ref, CountsAcrossThreads) {
  int alive = 0;
  Ref<Counted> shared = make_ref<Counted>(alive);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([shared] {
      for (int i = 0; i < 1000; ++i) Ref<Counted>(shared).reset();
    });
  }
  for (std::thread& thread : threads) thread.join();
  threads.clear();
  EXPECT_EQ(shared->ref_count(), 1u);
  shared.reset();
  EXPECT_EQ(alive, 0);
}

TEST(Deadline, NeverIsLatest) {
  EXPECT_TRUE(Deadline::never().is_never());
  EXPECT_FALSE(Deadline::never().expired());
  EXPECT_EQ(Deadline::never().remaining_ms(), -1);
  EXPECT_LT(Deadline::after_ms(1'000'000), Deadline::never());
  EXPECT_EQ(earlier(Deadline::never(), Deadline::at(5)), Deadline::at(5));
  EXPECT_TRUE(Deadline::after_ns(INT64_MAX).is_never());
  EXPECT_TRUE(Deadline::after_ms(INT64_MAX).is_never());
}

TEST(Deadline, RemainingIsRoundedUpAndNeverNegative) {
  const Deadline past = Deadline::at(steady_now() - 1);
  EXPECT_TRUE(past.expired());
  EXPECT_EQ(past.remaining_ms(), 0);
  EXPECT_EQ(past.remaining_ns(), 0);
  const Deadline hour = Deadline::after_ms(3'600'000);
  EXPECT_FALSE(hour.expired());
  EXPECT_GT(hour.remaining_ms(), 0);
  EXPECT_LE(hour.remaining_ms(), 3'600'000);
}

TEST(CondVar, WakesAndTimesOut) {
  Mutex mutex;
  CondVar changed;
  bool ready = false;
  std::thread other([&] {
    const LockGuard guard(mutex);
    ready = true;
    changed.notify_one();
  });
  {
    LockGuard guard(mutex);
    while (!ready) ASSERT_TRUE(changed.wait_until(mutex, Deadline::after_ms(60'000)));
    // Spurious wake-ups are allowed, but not without end.
    while (changed.wait_until(mutex, Deadline::after_ms(1))) continue;
    guard.unlock();
    if (mutex.try_lock()) {
      mutex.unlock();
    } else {
      ADD_FAILURE() << "still locked";
    }
    guard.lock();
  }
  other.join();
}

int twice(int value) { return 2 * value; }

TEST(FunctionRef, CallsLambdasAndFunctions) {
  int sum = 0;
  const auto add = [&sum](int value) { return sum += value; };
  const FunctionRef<int(int)> by_lambda = add;
  EXPECT_EQ(by_lambda(3), 3);
  EXPECT_EQ(by_lambda(4), 7);
  const FunctionRef<int(int)> by_function = &twice;
  EXPECT_EQ(by_function(21), 42);
  const auto count = [&sum](const std::string& text) { return sum = static_cast<int>(text.size()); };
  const FunctionRef<void(std::string)> discards = count;
  discards("abc");
  EXPECT_EQ(sum, 3);
}

TEST(Hex, BothWays) {
  const std::vector<std::uint8_t> bytes = {0x00, 0x7f, 0x80, 0xff};
  EXPECT_EQ(to_hex(bytes), "007f80ff");
  std::vector<std::uint8_t> back = {1};
  EXPECT_TRUE(from_hex("007F80ff", back));
  EXPECT_EQ(back, (std::vector<std::uint8_t>{1, 0, 0x7f, 0x80, 0xff}));
  EXPECT_FALSE(from_hex("0", back));
  EXPECT_FALSE(from_hex("0g", back));
  EXPECT_EQ(back.size(), 5u);
  EXPECT_EQ(hex_number(0x1f, 4), "001f");
  EXPECT_EQ(hex_number(0), "0");
}

TEST(Hex, Dump) {
  std::vector<std::uint8_t> bytes;
  for (int i = 0; i < 18; ++i) bytes.push_back(static_cast<std::uint8_t>('A' + i));
  bytes[17] = 0;
  EXPECT_EQ(hex_dump(bytes),
            "000000  41 42 43 44 45 46 47 48  49 4a 4b 4c 4d 4e 4f 50  |ABCDEFGHIJKLMNOP|\n"
            "000010  51 00                                             |Q.|\n");
}

struct Line {
  LogLevel level;
  std::string text;
};

void keep(void* context, LogLevel level, std::string_view component, std::string_view text) {
  static_cast<std::vector<Line>*>(context)->push_back(
      {level, std::string(component) + ": " + std::string(text)});
}

TEST(Log, OnlyEnabledLevelsReachTheSink) {
  std::vector<Line> lines;
  set_log_sink(&keep, &lines);
  set_log_level(LogLevel::warning);
  EXPECT_TRUE(log_enabled(LogLevel::error));
  EXPECT_FALSE(log_enabled(LogLevel::info));
  log(LogLevel::warning, "test", "one");
  log(LogLevel::debug, "test", "two");
  set_log_level(LogLevel::off);
  log(LogLevel::error, "test", "three");
  set_log_sink(nullptr, nullptr);
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_EQ(lines[0].level, LogLevel::warning);
  EXPECT_EQ(lines[0].text, "test: one");
  EXPECT_EQ(log_level("debug", LogLevel::off), LogLevel::debug);
  EXPECT_EQ(log_level("loud", LogLevel::error), LogLevel::error);
}

/// A process that has not logged yet and finds TENON_LOG=`value`.
[[noreturn]] void log_in_a_fresh_process(const char* value) {
  ::setenv("TENON_LOG", value, 1);
  log_detail::threshold = log_detail::unset;
  log(LogLevel::warning, "net", "first");
  log(LogLevel::info, "net", "second");
  ::_exit(log_enabled(LogLevel::error) ? 3 : 4);
}

TEST(LogDeathTest, TheEnvironmentDecidesUnlessTheProgramDoes) {
  EXPECT_EXIT(log_in_a_fresh_process("warning"), testing::ExitedWithCode(3), "^tenon warning .net. first\n$");
  EXPECT_EXIT(log_in_a_fresh_process("off"), testing::ExitedWithCode(4), "^$");
  EXPECT_EXIT(log_in_a_fresh_process(""), testing::ExitedWithCode(4), "^$");
}

TEST(LogDeathTest, AnUnknownLevelIsComplainedOfOnce) {
  EXPECT_EXIT(log_in_a_fresh_process("loud"), testing::ExitedWithCode(3),
              "^tenon warning .log. TENON_LOG=loud: no such level, so it is warning; it may be off, error, "
              "warning, info, debug or trace\ntenon warning .net. first\n$");
}

/// As log_in_a_fresh_process(), without TENON_LOG where `value` is null.
[[noreturn]] void advise_in_a_fresh_process(const char* value) {
  ::unsetenv("TENON_LOG");
  if (value != nullptr) ::setenv("TENON_LOG", value, 1);
  log_detail::threshold = log_detail::unset;
  log_detail::chosen = false;
  advise("poa", "think");
  log(LogLevel::warning, "poa", "again");
  ::_exit(0);
}

TEST(Joined, DecimalsAreThoseOfToString) {
  for (const std::int64_t number : {std::int64_t{0}, std::int64_t{7}, std::int64_t{10}, std::int64_t{-1},
                                    std::int64_t{-2809}, std::int64_t{0xFFFFFFFF}, INT64_MAX, INT64_MIN})
    EXPECT_EQ(decimal(number), std::to_string(number));
}

TEST(LogDeathTest, AdviceIsGivenUnlessALevelWasChosen) {
  EXPECT_EXIT(advise_in_a_fresh_process(nullptr), testing::ExitedWithCode(0),
              "^tenon warning .poa. think\n$");
  EXPECT_EXIT(advise_in_a_fresh_process("off"), testing::ExitedWithCode(0), "^$");
  EXPECT_EXIT(advise_in_a_fresh_process("error"), testing::ExitedWithCode(0), "^$");
  EXPECT_EXIT(advise_in_a_fresh_process("warning"), testing::ExitedWithCode(0), "think\n.*again\n$");
}

}  // namespace
}  // namespace tenon
