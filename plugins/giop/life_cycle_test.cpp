// SPDX-License-Identifier: Apache-2.0
#include "life_cycle.hpp"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace tenon::giop {
namespace {

using Phase = LifeCycle::Phase;

TEST(LifeCycle, ClosesAtOnceWhereNothingRuns) {
  LifeCycle life;
  EXPECT_EQ(life.phase(), Phase::open);
  EXPECT_TRUE(life.usable());
  EXPECT_TRUE(life.close());
  EXPECT_EQ(life.phase(), Phase::closing);
  EXPECT_FALSE(life.usable());
  EXPECT_FALSE(life.close());
  EXPECT_FALSE(life.close_if_idle());
  EXPECT_FALSE(life.begin_request());
  EXPECT_FALSE(life.lose()) << "the transport belongs to who sends CloseConnection";
  life.closed();
  EXPECT_EQ(life.phase(), Phase::closed);
  EXPECT_FALSE(life.lose());
}

TEST(LifeCycle, TheLastRequestCloses) {
  LifeCycle life;
  EXPECT_TRUE(life.begin_request());
  EXPECT_FALSE(life.close_if_idle());
  EXPECT_EQ(life.phase(), Phase::open);
  EXPECT_FALSE(life.close());
  EXPECT_EQ(life.phase(), Phase::draining);
  EXPECT_TRUE(life.usable());
  EXPECT_FALSE(life.close());
  EXPECT_TRUE(life.begin_request()) << "what comes until then is answered, too";
  life.hand_request_on();
  EXPECT_FALSE(life.end_request());
  EXPECT_FALSE(life.end_request());
  EXPECT_TRUE(life.end_request());
  EXPECT_EQ(life.phase(), Phase::closing);
}

TEST(LifeCycle, ClosesWhenIdle) {
  LifeCycle life;
  EXPECT_TRUE(life.begin_request());
  EXPECT_FALSE(life.end_request());
  EXPECT_TRUE(life.close_if_idle());
  EXPECT_EQ(life.phase(), Phase::closing);
}

TEST(LifeCycle, LostWhileRequestsRun) {
  LifeCycle life;
  EXPECT_TRUE(life.begin_request());
  EXPECT_FALSE(life.close());
  EXPECT_TRUE(life.lose());
  EXPECT_EQ(life.phase(), Phase::closed);
  EXPECT_FALSE(life.lose());
  EXPECT_FALSE(life.end_request());
  EXPECT_FALSE(life.begin_request());
  EXPECT_FALSE(life.close());
  EXPECT_EQ(life.phase(), Phase::closed);
}

// Requests, close() and lose() on threads of their own: one of them all ends it, and none begins afterwards.
TEST(LifeCycle, ExactlyOneThreadEndsIt) {
  for (int round = 0; round < 300; ++round) {
    LifeCycle life;
    std::atomic<int> ended{0};
    std::atomic<int> begun_after{0};
    std::vector<std::thread> threads;
    for (int i = 0; i < 2; ++i) {
      threads.emplace_back([&] {
        for (int request = 0; request < 20; ++request) {
          const bool too_late = ended != 0;
          if (!life.begin_request()) return;
          if (too_late) ++begun_after;
          if (life.end_request()) ++ended;
        }
      });
    }
    threads.emplace_back([&] { ended += life.close() ? 1 : 0; });
    if (round % 2 == 0) threads.emplace_back([&] { ended += life.lose() ? 1 : 0; });
    for (std::thread& each : threads) each.join();
    EXPECT_EQ(ended, 1);
    EXPECT_EQ(begun_after, 0);
    EXPECT_FALSE(life.usable());
  }
}

}  // namespace
}  // namespace tenon::giop
