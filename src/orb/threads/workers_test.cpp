// SPDX-License-Identifier: Apache-2.0
#include "orb/threads/workers.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <latch>
#include <memory>
#include <span>
#include <thread>
#include <vector>

#include "orb/threads/stacks.hpp"

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

// They are idle from the start, and not only when each has come to its first wait: all of them are there, so that no other can be made.
TEST(Workers, ThreadsThatWereMadeBeforeTakeTasksAtOnce) {
  for (int round = 0; round < 20; ++round) {
    Workers workers(8);
    workers.start(8);
    run_together(workers, 8);
  }
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

// A task may use as much stack as on any other thread: ten of them touch 512 KiB each, at the same time and in every page.
TEST(Workers, StacksAreOfTheUsualSize) {
  Workers workers(10);
  std::latch together(11);
  std::atomic<unsigned> sum{0};
  for (unsigned i = 1; i <= 10; ++i) {
    ASSERT_TRUE(workers.run([&, i] {
      volatile unsigned char large[512 * 1024];
      for (std::size_t at = 0; at < sizeof large; at += 1024) large[at] = static_cast<unsigned char>(i);
      together.arrive_and_wait();
      for (std::size_t at = 0; at < sizeof large; at += 1024) sum += large[at];
    }));
  }
  together.arrive_and_wait();
  workers.stop();
  EXPECT_EQ(sum, 55u * 512u);
}

// Blocks grow from one stack to 64; no stack is given twice, and each can be used from its first octet to its last.
TEST(Stacks, AreApart) {
  constexpr std::size_t count = 200;
  Stacks stacks(20000);
  std::vector<std::span<std::byte>> all;
  for (std::size_t i = 0; i < count; ++i) {
    const auto stack = stacks.next();
    ASSERT_TRUE(stack);
    EXPECT_EQ(stacks.next()->data(), stack->data()) << "not taken yet";
    ASSERT_GE(stack->size(), 20000u - 4096u);
    std::ranges::fill(*stack, static_cast<std::byte>(i));
    all.push_back(*stack);
    stacks.taken();
  }
  for (std::size_t i = 0; i < count; ++i) {
    EXPECT_TRUE(std::ranges::all_of(all[i], [&](std::byte one) { return one == static_cast<std::byte>(i); }))
        << "stack " << i;
  }
}

TEST(StacksDeathTest, TouchingTheGuardPageEnds) {
  Stacks stacks(64 * 1024);
  const auto stack = stacks.next();
  ASSERT_TRUE(stack);
  volatile std::byte* const below = stack->data() - 1;
  EXPECT_DEATH(*below = std::byte{1}, "");
}

// A request for more than can be mapped is answered, and not by an end of the process.
TEST(Stacks, OfMoreThanCanBeMapped) {
  Stacks stacks(SIZE_MAX / 16 * 15);
  EXPECT_FALSE(stacks.next());
}

}  // namespace
}  // namespace tenon::orb
