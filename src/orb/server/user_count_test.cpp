// SPDX-License-Identifier: Apache-2.0
#include "orb/server/user_count.hpp"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace tenon {
namespace {

TEST(UserCount, ClosesWhenNobodyUsesIt) {
  UserCount users;
  EXPECT_TRUE(users.enter());
  EXPECT_FALSE(users.leave());
  EXPECT_TRUE(users.close());
  EXPECT_FALSE(users.close());
  EXPECT_FALSE(users.enter());
}

TEST(UserCount, TheLastOneWhoLeavesCloses) {
  UserCount users;
  EXPECT_TRUE(users.enter());
  EXPECT_FALSE(users.close());
  EXPECT_TRUE(users.enter());  // as long as it is used
  EXPECT_FALSE(users.leave());
  EXPECT_FALSE(users.close());
  EXPECT_TRUE(users.leave());
  EXPECT_FALSE(users.enter());
  EXPECT_FALSE(users.close());
}

TEST(UserCount, ExactlyOneThreadCloses) {
  for (int round = 0; round < 200; ++round) {
    UserCount users;
    std::atomic<int> closed{0};
    std::atomic<int> used_after{0};
    std::vector<std::thread> threads;
    for (int i = 0; i < 3; ++i) {
      threads.emplace_back([&] {
        while (users.enter()) {
          if (closed != 0) ++used_after;
          if (users.leave()) ++closed;
        }
      });
    }
    if (users.close()) ++closed;
    for (std::thread& each : threads) each.join();
    EXPECT_EQ(closed, 1);
    EXPECT_EQ(used_after, 0);
  }
}

}  // namespace
}  // namespace tenon
