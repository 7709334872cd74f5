// SPDX-License-Identifier: Apache-2.0
#include "orb/threads/reminders.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace tenon::orb {
namespace {

struct Probe final : Timed {
  explicit Probe(std::int64_t number) : at(number) { ++alive; }
  ~Probe() override { --alive; }
  void expired() noexcept override {}
  const std::int64_t at;
  static inline int alive = 0;
};

Ref<Probe> add(Reminders& reminders, std::int64_t at) {
  Ref<Probe> probe = make_ref<Probe>(at);
  reminders.add(probe, Deadline::at(at));
  return probe;
}

std::vector<std::int64_t> take_those_due(Reminders& reminders) {
  std::vector<std::int64_t> times;
  while (const Ref<Timed> due = reminders.take_due()) times.push_back(static_cast<Probe&>(*due).at);
  return times;
}

/// Numbers from 1 to `count`, each once, in no order.
std::vector<std::int64_t> mixed(std::int64_t count) {
  std::vector<std::int64_t> numbers;
  for (std::int64_t i = 0; i < count; ++i) numbers.push_back(1 + i * 37 % count);
  return numbers;
}

TEST(Reminders, TheEarliestComesFirst) {
  Reminders reminders;
  for (const std::int64_t at : mixed(100)) add(reminders, at);
  EXPECT_EQ(reminders.next().ns(), 1);
  std::vector<std::int64_t> wanted;
  for (std::int64_t i = 1; i <= 100; ++i) wanted.push_back(i);
  EXPECT_EQ(take_those_due(reminders), wanted);
  EXPECT_TRUE(reminders.next().is_never());
  EXPECT_EQ(Probe::alive, 0);
}

TEST(Reminders, WhatIsNotDueStays) {
  Reminders reminders;
  const Ref<Probe> later = make_ref<Probe>(0);
  EXPECT_TRUE(reminders.add(later, Deadline::after_ms(60'000)));
  EXPECT_FALSE(reminders.add(make_ref<Probe>(1), Deadline::never()));
  EXPECT_FALSE(reminders.take_due());
  EXPECT_EQ(reminders.remove(*later).get(), later.get());
  EXPECT_TRUE(reminders.next().is_never());
}

// Each that is taken back leaves the others in order: the first one, leaves, and those with others below them.
TEST(Reminders, AnyCanBeTakenBackOnce) {
  for (std::int64_t gone = 1; gone <= 40; ++gone) {
    Reminders reminders;
    std::vector<Ref<Probe>> all;
    for (const std::int64_t at : mixed(41)) all.push_back(add(reminders, at));
    EXPECT_EQ(static_cast<Probe&>(*reminders.take_due()).at, 1) << "so that some have others below them";
    std::vector<std::int64_t> wanted;
    for (std::int64_t i = 2; i <= 41; ++i) wanted.push_back(i);
    for (const Ref<Probe>& each : all) {
      if (each->at % 41 % (gone + 1) != gone || each->at == 1) continue;
      EXPECT_EQ(reminders.remove(*each).get(), each.get());
      EXPECT_FALSE(reminders.remove(*each));
      std::erase(wanted, each->at);
    }
    EXPECT_EQ(take_those_due(reminders), wanted);
  }
  EXPECT_EQ(Probe::alive, 0);
}

TEST(Reminders, AllAreTakenAndDropped) {
  Reminders reminders;
  std::vector<Ref<Probe>> all;
  for (const std::int64_t at : mixed(20)) all.push_back(add(reminders, at));
  Timed* const taken = reminders.take_all();
  EXPECT_TRUE(reminders.next().is_never());
  for (const Ref<Probe>& each : all) EXPECT_FALSE(reminders.remove(*each)) << "it is in none any more";
  all.clear();
  EXPECT_EQ(Probe::alive, 20);
  Reminders::drop(taken);
  EXPECT_EQ(Probe::alive, 0);
}

// What is still there ends with it.
TEST(Reminders, EndsWithThoseThatAreThere) {
  {
    Reminders reminders;
    for (const std::int64_t at : mixed(10)) add(reminders, at);
    EXPECT_EQ(Probe::alive, 10);
  }
  EXPECT_EQ(Probe::alive, 0);
}

}  // namespace
}  // namespace tenon::orb
