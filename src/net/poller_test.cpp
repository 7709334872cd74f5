// SPDX-License-Identifier: Apache-2.0
#include "net/poller.hpp"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <thread>
#include <vector>

namespace tenon::net {
namespace {

class PollerTest : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(poller_.error(), 0);
    int pair[2];
    ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair), 0);
    near_.reset(pair[0]);
    far_.reset(pair[1]);
  }
  void put() const { ASSERT_EQ(::send(far_.get(), "x", 1, MSG_NOSIGNAL), 1); }
  void take() const {
    char byte;
    ASSERT_EQ(::recv(near_.get(), &byte, 1, 0), 1);
  }
  std::size_t look(Deadline deadline = Deadline::at(0)) { return poller_.wait(events_, deadline); }

  Poller poller_;
  Descriptor near_;
  Descriptor far_;
  Event events_[4] = {};
};

TEST_F(PollerTest, LevelIsReportedWhileThereIsInput) {
  ASSERT_EQ(poller_.add(near_.get(), this, Watch::level), 0);
  EXPECT_EQ(look(), 0U);
  put();
  for (int again = 0; again < 3; ++again) {
    ASSERT_EQ(look(Deadline{}), 1U);
    EXPECT_EQ(events_[0].token.object<PollerTest>(), this);
    EXPECT_FALSE(events_[0].hung_up);
  }
  take();
  EXPECT_EQ(look(), 0U);
}

// A number in which the upper half counts, as those of the pool's connections.
TEST_F(PollerTest, ATokenHas64BitsOnEveryMachine) {
  constexpr std::uint64_t number = 0x1234567800000000;
  ASSERT_EQ(poller_.add(near_.get(), number, Watch::level), 0);
  put();
  ASSERT_EQ(look(Deadline{}), 1U);
  EXPECT_EQ(events_[0].token.number(), number);
}

TEST_F(PollerTest, PausedIsReportedWhenItGoesOn) {
  ASSERT_EQ(poller_.add(near_.get(), this, Watch::edge), 0);
  ASSERT_EQ(poller_.pause(near_.get(), this), 0);
  put();
  EXPECT_EQ(look(), 0U);
  ASSERT_EQ(poller_.resume(near_.get(), this), 0);
  EXPECT_EQ(look(), 1U) << "input from before resume() counts";
  EXPECT_EQ(look(), 0U);
  put();
  EXPECT_EQ(look(), 1U);
  // Input that was read meanwhile is not reported.
  take();
  take();
  ASSERT_EQ(poller_.pause(near_.get(), this), 0);
  put();
  take();
  ASSERT_EQ(poller_.resume(near_.get(), this), 0);
  EXPECT_EQ(look(), 0U);
  // The end of the stream may be reported at any time.
  ASSERT_EQ(poller_.pause(near_.get(), this), 0);
  far_.reset();
  ASSERT_EQ(look(), 1U);
  EXPECT_TRUE(events_[0].hung_up);
}

TEST_F(PollerTest, OneShotIsReportedOnceUntilAddedAnew) {
  ASSERT_EQ(poller_.add(near_.get(), this, Watch::one_shot), 0);
  put();
  EXPECT_EQ(look(), 1U);
  EXPECT_EQ(look(), 0U);
  put();
  EXPECT_EQ(look(), 0U);
  ASSERT_EQ(poller_.remove(near_.get()), 0);
  ASSERT_EQ(poller_.add(near_.get(), this, Watch::one_shot), 0);
  EXPECT_EQ(look(), 1U) << "input from before counts";
  EXPECT_EQ(look(), 0U);
}

TEST_F(PollerTest, RoomIsReportedOnceUntilAskedForAgain) {
  ASSERT_EQ(poller_.add(near_.get(), this, Watch::edge), 0);
  ASSERT_EQ(poller_.change(near_.get(), this, Watch::room), 0);
  EXPECT_EQ(look(), 1U) << "there is room already";
  put();
  EXPECT_EQ(look(), 0U) << "once, and no input";
  const std::vector<char> much(1 << 20);
  while (::send(near_.get(), much.data(), much.size(), MSG_DONTWAIT | MSG_NOSIGNAL) > 0) {}
  ASSERT_EQ(poller_.change(near_.get(), this, Watch::room), 0);
  EXPECT_EQ(look(), 0U);
  std::vector<char> taken(16 << 20);
  while (::recv(far_.get(), taken.data(), taken.size(), MSG_DONTWAIT) > 0) {}
  EXPECT_EQ(look(), 1U);
  EXPECT_EQ(look(), 0U);
  ASSERT_EQ(poller_.change(near_.get(), this, Watch::edge), 0);
  EXPECT_EQ(look(), 1U) << "input that came meanwhile";
  ASSERT_EQ(poller_.change(near_.get(), this, Watch::level), 0);
  EXPECT_EQ(look(), 1U);
  EXPECT_EQ(look(), 1U);
}

TEST_F(PollerTest, PeersEndIsInputToo) {
  ASSERT_EQ(poller_.add(near_.get(), this, Watch::level), 0);
  far_.reset();
  ASSERT_EQ(look(Deadline{}), 1U);
  EXPECT_TRUE(events_[0].hung_up);
}

TEST_F(PollerTest, RemovedIsNotReported) {
  ASSERT_EQ(poller_.add(near_.get(), this, Watch::level), 0);
  put();
  ASSERT_EQ(poller_.remove(near_.get()), 0);
  EXPECT_EQ(look(), 0U);
  EXPECT_NE(poller_.remove(near_.get()), 0);
  EXPECT_NE(poller_.add(-1, this, Watch::level), 0);
}

TEST_F(PollerTest, DeadlineIsNotCutShort) {
  const Deadline soon = Deadline::after_ms(5);
  EXPECT_EQ(look(soon), 0U);
  EXPECT_TRUE(soon.expired());
}

TEST_F(PollerTest, WakeCountsWaits) {
  poller_.wake(2);
  EXPECT_EQ(look(Deadline{}), 0U);
  EXPECT_EQ(look(Deadline{}), 0U);
  const Deadline soon = Deadline::after_ms(5);
  EXPECT_EQ(look(soon), 0U);
  EXPECT_TRUE(soon.expired()) << "the third one waits";
}

TEST_F(PollerTest, WakeReachesAsManyThreadsAsItSays) {
  constexpr int count = 4;
  std::atomic<int> woken{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < count; ++i) {
    threads.emplace_back([&] {
      Event events[2];
      EXPECT_EQ(poller_.wait(events, Deadline{}), 0U);
      ++woken;
    });
  }
  poller_.wake(1);
  while (woken == 0) std::this_thread::yield();
  poller_.wake(count - 1);
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(woken, count);
}

TEST_F(PollerTest, OneShotGoesToOneThread) {
  constexpr int messages = 300;
  ASSERT_EQ(poller_.add(near_.get(), this, Watch::one_shot), 0);
  std::atomic<int> inside{0};
  std::atomic<int> handled{0};
  std::atomic<bool> shared{false};
  const auto serve = [&] {
    Event events[4];
    for (;;) {
      if (poller_.wait(events, Deadline{}) == 0) return;
      if (++inside != 1) shared = true;
      char byte;
      handled += static_cast<int>(::recv(near_.get(), &byte, 1, 0));
      --inside;
      if (handled == messages) poller_.wake(2);
      poller_.remove(near_.get());
      poller_.add(near_.get(), this, Watch::one_shot);
    }
  };
  std::thread first(serve);
  std::thread second(serve);
  for (int i = 0; i < messages; ++i) put();
  first.join();
  second.join();
  EXPECT_EQ(handled, messages);
  EXPECT_FALSE(shared);
}

TEST_F(PollerTest, SaysWhetherThereIsSomething) {
  ASSERT_EQ(poller_.add(near_.get(), this, Watch::level), 0);
  EXPECT_FALSE(poller_.has_events());
  put();
  EXPECT_TRUE(poller_.has_events());
  EXPECT_TRUE(poller_.has_events());  // the first call has taken no event
  Event events[4];
  EXPECT_EQ(poller_.wait(events, Deadline::immediately()), 1u);
  char byte;
  EXPECT_EQ(::recv(near_.get(), &byte, 1, 0), 1);
  EXPECT_FALSE(poller_.has_events());
  poller_.wake();
  EXPECT_TRUE(poller_.has_events());
  EXPECT_EQ(poller_.wait(events, Deadline::immediately()), 0u);
  EXPECT_FALSE(poller_.has_events());
}

}  // namespace
}  // namespace tenon::net
