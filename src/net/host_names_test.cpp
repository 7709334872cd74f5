// SPDX-License-Identifier: Apache-2.0
//
// Which threads ask for a name and when, with a resolver that does what the test says. No test asserts how long something took: a wait
// that should have ended runs into the time limit of the whole program.
#include "net/host_names.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>

#include "base/absent_test_support.hpp"
#include "net/name_source_test_support.hpp"

namespace tenon::net {
namespace {

using Outcome = HostNames::Outcome;
using Settings = HostNames::Settings;

constexpr std::int64_t for_ever_ms = 1'000'000'000;
/// So long that only a test that hangs reaches it.
Deadline patience() { return Deadline::after_ms(60'000); }

class HostNamesTest : public testing::Test {
 protected:
  void TearDown() override {
    names_.reset();
    for (const std::string& host : held_) source->let_go(host);
  }
  HostNames& names(Settings settings = {
                       .fresh_ms = for_ever_ms, .usable_ms = for_ever_ms, .failed_ms = for_ever_ms}) {
    if (!names_) names_ = std::make_unique<HostNames>(source, settings);
    return *names_;
  }
  /// The resolver holds the answer for `host` back until the test lets it go, or ends.
  void hold(const std::string& host) {
    source->hold(host);
    held_.push_back(host);
  }
  /// "10.0.0.1:5", or "not found" or "timed out".
  std::string ask(const std::string& host, Deadline deadline = patience(), std::int64_t not_before = 0) {
    const HostNames::Answer answer = names_->addresses({host, 5}, deadline, not_before);
    switch (answer.outcome) {
      case Outcome::found: return answer.addresses.at(0).text();
      case Outcome::not_found: return "not found";
      case Outcome::timed_out: return "timed out";
    }
    return "";
  }
  /// Asks until the answer is `said`, for what happens in the background.
  bool comes_to_say(const std::string& host, const std::string& said) {
    for (int i = 0; i < 6000; ++i) {
      if (ask(host) == said) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    return false;
  }

  std::shared_ptr<TestSource> source = std::make_shared<TestSource>();

 private:
  std::unique_ptr<HostNames> names_;
  std::vector<std::string> held_;
};

TEST_F(HostNamesTest, AskOnceAndOnAnotherThread) {
  source->answer("one", "10.0.0.1");
  names();
  EXPECT_EQ(ask("one"), "10.0.0.1:5");
  EXPECT_EQ(ask("one"), "10.0.0.1:5");
  EXPECT_EQ(ask("one", Deadline::immediately()), "10.0.0.1:5");
  EXPECT_EQ(source->questions(), 1U);
  EXPECT_FALSE(source->asked_on(std::this_thread::get_id()));
}

TEST_F(HostNamesTest, WhatIsExpectedIsThereWhenItIsNeeded) {
  source->answer("one", "10.0.0.1");
  hold("one");
  names().expect("one");
  names().expect("one");
  ASSERT_TRUE(source->wait_until_asked("one", 1));
  EXPECT_EQ(ask("one", Deadline::immediately()), "timed out");
  source->let_go("one");
  EXPECT_EQ(ask("one"), "10.0.0.1:5");
  EXPECT_EQ(source->questions(), 1U);
}

TEST_F(HostNamesTest, AStuckNameTimesOutAndDelaysNoOther) {
  source->answer("good", "10.0.0.1");
  hold("stuck");
  names();
  EXPECT_EQ(ask("stuck", Deadline::after_ms(5)), "timed out");
  EXPECT_EQ(ask("good"), "10.0.0.1:5");
  EXPECT_EQ(ask("stuck", Deadline::after_ms(5)), "timed out");
  EXPECT_EQ(source->times_asked("stuck"), 1);
}

TEST_F(HostNamesTest, WhoWaitsGoesAheadOfWhatIsOnlyExpected) {
  source->answer("needed", "10.0.0.1");
  names({.threads_most = 4});
  for (const char* host : {"a", "b", "c", "d", "e", "f"}) {
    hold(host);
    names().expect(host);
  }
  // Expected names get half of the threads; the others are for callers that wait.
  ASSERT_TRUE(source->wait_until_asked("a", 1));
  ASSERT_TRUE(source->wait_until_asked("b", 1));
  EXPECT_EQ(ask("needed"), "10.0.0.1:5");
  EXPECT_EQ(source->questions(), 3U);
  // A name in the queue goes to the front as soon as a caller waits for it.
  source->let_go("f");
  EXPECT_EQ(ask("f"), "not found");
  EXPECT_EQ(source->questions(), 4U);
  for (const char* host : {"a", "b", "c", "d", "e"}) source->let_go(host);
  for (const char* host : {"c", "d", "e"}) EXPECT_TRUE(source->wait_until_asked(host, 1)) << host;
  EXPECT_EQ(source->times_asked("f"), 1);
}

TEST_F(HostNamesTest, ThreadsAreBounded) {
  names({.threads_most = 3});
  std::vector<std::thread> callers;
  std::atomic<int> found{0};
  for (int i = 0; i < 12; ++i) {
    const std::string host = "h" + std::to_string(i);
    source->answer(host, "10.0.0.1");
    hold(host);
    callers.emplace_back([this, host, &found] { found += ask(host) == "10.0.0.1:5" ? 1 : 0; });
  }
  for (int i = 0; i < 12; ++i) source->let_go("h" + std::to_string(i));
  for (std::thread& caller : callers) caller.join();
  EXPECT_EQ(found, 12);
  EXPECT_LE(source->most_running(), 3U);
}

TEST_F(HostNamesTest, OneSearchServesAllWhoWait) {
  source->answer("one", "10.0.0.1");
  hold("one");
  names();
  std::vector<std::thread> callers;
  std::atomic<int> found{0};
  for (int i = 0; i < 8; ++i) {
    callers.emplace_back([&] { found += ask("one") == "10.0.0.1:5" ? 1 : 0; });
  }
  ASSERT_TRUE(source->wait_until_asked("one", 1));
  source->let_go("one");
  for (std::thread& caller : callers) caller.join();
  EXPECT_EQ(found, 8);
  EXPECT_EQ(source->questions(), 1U);
}

TEST_F(HostNamesTest, AFailureIsRemembered) {
  names();
  EXPECT_EQ(ask("nobody"), "not found");
  source->answer("nobody", "10.0.0.1");
  EXPECT_EQ(ask("nobody"), "not found");
  EXPECT_EQ(source->questions(), 1U);
}

TEST_F(HostNamesTest, AFailureIsRememberedBriefly) {
  names({.failed_ms = 0});
  EXPECT_EQ(ask("nobody"), "not found");
  source->answer("nobody", "10.0.0.1");
  EXPECT_EQ(ask("nobody"), "10.0.0.1:5");
}

TEST_F(HostNamesTest, AnOldAnswerIsUsedWhileItIsAskedForAgain) {
  source->answer("one", "10.0.0.1");
  names({.fresh_ms = 0, .usable_ms = for_ever_ms});
  EXPECT_EQ(ask("one"), "10.0.0.1:5");
  source->answer("one", "10.0.0.2");
  hold("one");
  EXPECT_EQ(ask("one"), "10.0.0.1:5");
  ASSERT_TRUE(source->wait_until_asked("one", 2));
  EXPECT_EQ(ask("one"), "10.0.0.1:5") << "nobody waits for the resolver";
  source->let_go("one");
  EXPECT_TRUE(comes_to_say("one", "10.0.0.2:5"));
}

TEST_F(HostNamesTest, AnOldAnswerIsBetterThanNone) {
  source->answer("one", "10.0.0.1");
  names({.fresh_ms = 0, .usable_ms = for_ever_ms, .failed_ms = for_ever_ms});
  EXPECT_EQ(ask("one"), "10.0.0.1:5");
  source->forget("one");
  EXPECT_EQ(ask("one"), "10.0.0.1:5");
  ASSERT_TRUE(source->wait_until_asked("one", 2));
  EXPECT_EQ(ask("one"), "10.0.0.1:5");
}

TEST_F(HostNamesTest, AnAnswerThatIsTooOldIsNotUsed) {
  source->answer("one", "10.0.0.1");
  names({.fresh_ms = 0, .usable_ms = 0, .failed_ms = 0});
  EXPECT_EQ(ask("one"), "10.0.0.1:5");
  source->answer("one", "10.0.0.2");
  EXPECT_EQ(ask("one"), "10.0.0.2:5");
  source->forget("one");
  EXPECT_EQ(ask("one"), "not found");
  EXPECT_EQ(source->questions(), 3U);
}

TEST_F(HostNamesTest, WhoWantsAnAnswerOfNowGetsOne) {
  source->answer("one", "10.0.0.1");
  names();
  EXPECT_EQ(ask("one"), "10.0.0.1:5");
  source->answer("one", "10.0.0.2");
  const std::int64_t now = steady_now();
  hold("one");
  EXPECT_EQ(ask("one", Deadline::immediately(), now), "timed out");
  EXPECT_EQ(ask("one"), "10.0.0.1:5") << "for others the remembered one is good enough";
  ASSERT_TRUE(source->wait_until_asked("one", 2));
  // The search that runs now began too early for this caller: when it ends, another one begins, with the same deadline.
  const std::int64_t later = steady_now();
  std::thread caller([&] { EXPECT_EQ(ask("one", patience(), later), "10.0.0.3:5"); });
  source->answer("one", "10.0.0.3");
  source->let_go("one");
  caller.join();
  EXPECT_EQ(source->questions(), 3U);
  EXPECT_EQ(ask("one"), "10.0.0.3:5");
}

TEST_F(HostNamesTest, TheLastUsedOnesAreRemembered) {
  names({.fresh_ms = for_ever_ms, .usable_ms = for_ever_ms, .names_most = 2});
  for (const char* host : {"a", "b", "c"}) source->answer(host, "10.0.0.1");
  ask("a");
  ask("b");
  ask("a");
  ask("c");  // in place of b
  ask("a");
  ask("c");
  EXPECT_EQ(source->questions(), 3U);
  ask("b");
  EXPECT_EQ(source->questions(), 4U);
}

TEST_F(HostNamesTest, AFullTableOfQuestionsTakesThoseWhoWaitOnly) {
  names({.names_most = 2});
  for (const char* host : {"a", "b"}) {
    hold(host);
    names().expect(host);
    ASSERT_TRUE(source->wait_until_asked(host, 1));
  }
  names().expect("c");
  source->answer("d", "10.0.0.1");
  EXPECT_EQ(ask("d"), "10.0.0.1:5");
  EXPECT_EQ(source->times_asked("c"), 0);
}

TEST_F(HostNamesTest, TheSystemKnowsLocalhost) {
  HostNames system(system_names());
  const HostNames::Answer answer = system.addresses({"localhost", 7}, patience());
  ASSERT_EQ(answer.outcome, Outcome::found);
  EXPECT_TRUE(answer.addresses[0].is_loopback());
  EXPECT_EQ(answer.addresses[0].port(), 7);
}

TEST_F(HostNamesTest, ADestructorLeavesStuckThreadsBehind) {
  auto stuck = std::make_shared<TestSource>();
  stuck->hold("stuck");
  {
    HostNames brief(stuck);
    EXPECT_EQ(brief.addresses({"stuck", 5}, Deadline::after_ms(1)).outcome, Outcome::timed_out);
    brief.expect("later");
  }
  const std::weak_ptr<TestSource> watched = stuck;
  stuck->let_go("stuck");
  stuck.reset();
  // The thread lets go of what it shared with the table, when the resolver lets go of it.
  for (int i = 0; i < 6000 && !watched.expired(); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  EXPECT_TRUE(watched.expired());
}

void exit_with_a_stuck_name() {
  static const auto source = std::make_shared<TestSource>();
  static HostNames names(source);  // destroyed by exit(), as the ORBs of a program that destroys none are
  source->hold("stuck");
  if (names.addresses({"stuck", 5}, Deadline::after_ms(1)).outcome == Outcome::timed_out) std::exit(7);
  std::exit(1);
}

TEST(HostNamesDeathTest, AProcessEndsWithAStuckName) {
  if (emulated())
    GTEST_SKIP() << "the test starts its program anew, for which the kernel wants the emulator registered";
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(exit_with_a_stuck_name(), testing::ExitedWithCode(7), "");
}

}  // namespace
}  // namespace tenon::net
