// SPDX-License-Identifier: Apache-2.0
#include "send_gate.hpp"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace tenon::giop {
namespace {

TEST(SendGate, OneAtATime) {
  SendGate gate;
  int inside = 0;
  int passed = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int round = 0; round < 5000; ++round) {
        const std::lock_guard lock(gate);
        EXPECT_EQ(++inside, 1);
        ++passed;
        --inside;
      }
    });
  }
  for (std::thread& each : threads) each.join();
  EXPECT_EQ(passed, 4 * 5000);
}

TEST(SendGate, ADeadlineEndsTheWait) {
  SendGate gate;
  ASSERT_TRUE(gate.try_lock());
  EXPECT_FALSE(gate.try_lock());
  EXPECT_FALSE(gate.lock_by(Deadline::immediately()));
  EXPECT_FALSE(gate.lock_by(Deadline::after_ms(5)));
  gate.unlock();
  EXPECT_TRUE(gate.lock_by(Deadline::immediately()));
  gate.unlock();
}

// Waiters with and without a deadline take turns; none is forgotten, whichever is woken or gives up.
TEST(SendGate, NobodySleepsOn) {
  SendGate gate;
  std::atomic<int> passed{0};
  std::atomic<int> gave_up{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&, hurried = i % 2 == 0] {
      for (int round = 0; round < 300; ++round) {
        if (!gate.lock_by(hurried ? Deadline::after_ns(20'000) : Deadline::never())) {
          ++gave_up;
          continue;
        }
        std::this_thread::yield();
        ++passed;
        gate.unlock();
      }
    });
  }
  for (std::thread& each : threads) each.join();
  EXPECT_EQ(passed + gave_up, 4 * 300);
  EXPECT_TRUE(gate.try_lock());
  gate.unlock();
}

}  // namespace
}  // namespace tenon::giop
