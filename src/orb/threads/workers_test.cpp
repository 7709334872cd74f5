// SPDX-License-Identifier: Apache-2.0
#include "orb/threads/workers.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <latch>
#include <memory>
#include <thread>

namespace tenon::orb {
namespace {

/// Runs `count` tasks at the same time, each on a thread of its own, and waits for them.
void run_together(Workers& workers, std::ptrdiff_t count) {
  const auto together = std::make_shared<std::latch>(count + 1);
  for (std::ptrdiff_t i = 0; i < count; ++i) {
    ASSERT_TRUE(workers.run([together] { together->arrive_and_wait(); }));
  }
  together->arrive_and_wait();
}

TEST(Workers, AThreadForEachTaskUpToTheMost) {
  Workers workers(2);
  std::latch held(1);
  for (int i = 0; i < 2; ++i) EXPECT_TRUE(workers.run([&] { held.wait(); }));
  EXPECT_FALSE(workers.run([] {}));
  held.count_down();
  workers.stop();
  EXPECT_FALSE(workers.run([] {}));
}

// Threads that have left no longer count, and tasks that come late are run like the others.
TEST(Workers, WindingDownTakesTasksStill) {
  Workers workers(4);
  run_together(workers, 4);
  workers.wind_down();
  for (int round = 0; round < 20; ++round) {
    std::atomic<int> done{0};
    int taken = 0;
    // Those of the round before may not have left yet.
    while (taken < 4) {
      if (workers.run([&] { ++done; })) ++taken;
    }
    while (done != 4) std::this_thread::yield();
  }
  workers.stop();
}

}  // namespace
}  // namespace tenon::orb
