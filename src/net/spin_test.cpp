// SPDX-License-Identifier: Apache-2.0
#include "net/spin.hpp"

#include <gtest/gtest.h>

namespace tenon::net {
namespace {

constexpr std::int64_t a_while = 1000;  // nanoseconds

struct Waits {
  Spin spin;
  int looks = 0;
  /// Whether the wait looked at all.
  bool in_vain() {
    const int before = looks;
    EXPECT_FALSE(spin.until([this] { return ++looks < 0; }));
    return looks != before;
  }
  bool pays() {
    int now = 0;
    return spin.until([&now] { return ++now == 2; });
  }
  bool is_there() {
    return spin.until([] { return true; });
  }
};

TEST(Spin, LooksUntilItFinds) {
  Spin spin(60'000'000'000);
  int looks = 0;
  EXPECT_TRUE(spin.until([&] { return ++looks == 1000; }));
  EXPECT_EQ(looks, 1000);
}

TEST(Spin, EndsWhenTheTimeIsOver) {
  Waits waits{Spin(a_while)};
  EXPECT_TRUE(waits.in_vain());
  EXPECT_GE(waits.looks, 1);
}

TEST(Spin, EndsAtTheDeadline) {
  Spin spin(60'000'000'000);
  EXPECT_FALSE(spin.until([] { return false; }, Deadline::after_ns(1000)));
}

TEST(Spin, IsLeftOutMoreAndMoreWhereItDoesNotPay) {
  Waits waits{Spin(a_while)};
  int looked = 0;
  constexpr int many = 100000;
  for (int i = 0; i < many; ++i) looked += waits.in_vain() ? 1 : 0;
  EXPECT_LT(looked, many / 500);
  EXPECT_GT(looked, many / 2000);  // but some waits still spin
}

TEST(Spin, PaysAgain) {
  Waits waits{Spin(1'000'000)};  // long enough for two looks on any machine
  for (int i = 0; i < 5000; ++i) waits.in_vain();
  int left_out = 0;
  while (!waits.pays()) ++left_out;
  EXPECT_LE(left_out, 1024);
  // After a success all earlier spins in vain are forgotten.
  for (int i = 0; i < 100; ++i) EXPECT_TRUE(waits.pays());
  EXPECT_TRUE(waits.in_vain());
  EXPECT_TRUE(waits.pays());
}

TEST(Spin, WhatIsThereAlreadyTeachesNothing) {
  Waits waits{Spin(a_while)};
  // In turn, as where the peer gets its processor only while this side sleeps.
  int looked = 0;
  constexpr int many = 200;
  for (int i = 0; i < many; ++i) {
    (void)waits.is_there();
    looked += waits.in_vain() ? 1 : 0;
  }
  EXPECT_LT(looked, many / 4);
}

TEST(Spin, TheThreadSaysOtherwise) {
  Waits never{Spin(a_while)};
  thread_spin_ns = 0;
  EXPECT_FALSE(never.in_vain());
  Waits now{Spin(0)};
  thread_spin_ns = a_while;
  EXPECT_TRUE(now.in_vain());
  thread_spin_ns = -1;
  EXPECT_FALSE(now.in_vain());
}

}  // namespace
}  // namespace tenon::net
