// SPDX-License-Identifier: Apache-2.0
//
// Oneways with SYNC_NONE, which connections keep back: that they arrive, when something makes them go.
#include <thread>

#include <tenon/messaging.hpp>

#include "tests/orb/world.hpp"

namespace tenon::suite {
namespace {

using CORBA::SetOverrideType;

/// The same object, to which oneways are kept back as the limits say.
TestRef buffered(const TestRef& test, const OnewayBuffering& limits) {
  return IDL::traits<Suite::Test>::narrow(test->_set_policy_overrides(
      {create_sync_scope_policy(Messaging::SYNC_NONE), create_buffering_policy(limits)},
      SetOverrideType::SET_OVERRIDE));
}

constexpr OnewayBuffering no_limit{.messages = 0, .octets = 1 << 20, .time = 0};

class Buffered : public World {
 protected:
  std::size_t arrived() const { return pair->servant->notes().size(); }
  bool arrive(std::size_t count) const {
    return eventually([&] { return arrived() == count; });
  }
};
INSTANTIATE_TEST_SUITE_P(All, Buffered, ::testing::ValuesIn(remote_cases()),
                         [](const auto& each) { return name_of(each.param); });

TEST_P(Buffered, ManyAreEnough) {
  const TestRef test = buffered(pair->test, {.messages = 5, .octets = 1 << 20, .time = 0});
  for (int i = 0; i < 12; ++i) test->note(i);
  EXPECT_TRUE(arrive(10));
  // The others stay until somebody wants them to go.
  EXPECT_TRUE(flush_oneways(pair->client()));
  EXPECT_TRUE(arrive(12));
  std::vector<std::int32_t> in_order(12);
  for (int i = 0; i < 12; ++i) in_order[static_cast<std::size_t>(i)] = i;
  EXPECT_EQ(pair->servant->notes(), in_order);
}

TEST_P(Buffered, LargeOnesAreEnough) {
  const TestRef test = buffered(pair->test, {.messages = 0, .octets = 600, .time = 0});
  for (int i = 0; i < 100; ++i) test->note(i);
  EXPECT_TRUE(eventually([&] { return arrived() >= 80; }));
  EXPECT_TRUE(flush_oneways(pair->client()));
  EXPECT_TRUE(arrive(100));
}

TEST_P(Buffered, TheyGoByThemselves) {
  const TestRef test = buffered(pair->test, {.messages = 0, .octets = 1 << 20, .time = 2 * ms});
  for (std::size_t round = 1; round <= 3; ++round) {
    for (int i = 0; i < 10; ++i) test->note(i);
    EXPECT_TRUE(arrive(10 * round));
  }
  EXPECT_EQ(oneways_lost(pair->client()), 0u);
}

TEST_P(Buffered, WithoutLimitsOfItsOwnTheOrbsCount) {
  const TestRef test = IDL::traits<Suite::Test>::narrow(pair->test->_set_policy_overrides(
      {create_sync_scope_policy(Messaging::SYNC_NONE)}, SetOverrideType::SET_OVERRIDE));
  const auto limits = [&](const TestRef& of) {
    return IDL::traits<BufferingPolicy>::narrow(of->_get_policy(BUFFERING_POLICY_TYPE))->value();
  };
  EXPECT_EQ(limits(test), OnewayBuffering{});
  EXPECT_EQ(limits(buffered(pair->test, no_limit)), no_limit);
  EXPECT_EQ(test->_get_client_policy(BUFFERING_POLICY_TYPE), nullptr);
  test->note(1);
  EXPECT_TRUE(arrive(1));
}

TEST_P(Buffered, CallsTakeThemAlong) {
  const TestRef test = buffered(pair->test, no_limit);
  for (int i = 0; i < 3; ++i) test->note(i);
  EXPECT_EQ(test->add(1, 2), 3);
  EXPECT_EQ(arrived(), 3u);
  for (int i = 0; i < 3; ++i) test->note(i);
  test->_non_existent();
  EXPECT_TRUE(arrive(6));
}

TEST_P(Buffered, TheEndOfTheOrbSendsThem) {
  const TestRef test = buffered(pair->test, no_limit);
  for (int i = 0; i < 50; ++i) test->note(i);
  pair->client().shutdown(true);
  EXPECT_TRUE(arrive(50));
  EXPECT_EQ(oneways_lost(pair->client()), 0u);
}

TEST_P(Buffered, WhatIsLostIsCounted) {
  const TestRef test = buffered(pair->test, no_limit);
  test->note(1);
  EXPECT_EQ(test->add(1, 2), 3);
  pair->server().shutdown(true);
  // A connection that is gone is found out by sending, perhaps not the first time.
  EXPECT_TRUE(eventually([&] {
    static_cast<void>(outcome_of([&] { test->note(2); }));
    flush_oneways(pair->client());
    return oneways_lost(pair->client()) != 0;
  }));
  EXPECT_EQ(arrived(), 1u);
}

TEST_P(Buffered, FromManyThreads) {
  const TestRef some = buffered(pair->test, {.messages = 7, .octets = 2000, .time = ms});
  const TestRef others = buffered(pair->test, no_limit);
  constexpr int each = 200;
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 4; ++thread) {
    threads.emplace_back([&, thread] {
      const TestRef& test = thread % 2 == 0 ? some : others;
      for (int i = 0; i < each; ++i) {
        test->note(thread * each + i);
        if (i % 50 == thread) {
          EXPECT_EQ(pair->test->add(i, thread), i + thread);
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_TRUE(flush_oneways(pair->client()));
  EXPECT_TRUE(arrive(4 * each));
  EXPECT_EQ(oneways_lost(pair->client()), 0u);
}

}  // namespace
}  // namespace tenon::suite
