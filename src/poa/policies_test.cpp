// SPDX-License-Identifier: Apache-2.0
//
// All 288 combinations of POA policies against the rules of CORBA 3.4 part 1 §15.3.8, written down a second time.
#include <gtest/gtest.h>

#include <vector>

#include "poa/policies.hpp"

namespace tenon::poa {
namespace {

TEST(Policies, NoneGivesTheInitialValues) {
  const auto read = read_policies({});
  ASSERT_TRUE(read);
  EXPECT_EQ(*read, Policies());
}

TEST(Policies, EveryCombination) {
  int legal = 0;
  for (std::uint32_t code = 0; code < 288; ++code) {
    std::uint32_t left = code;
    std::vector<PolicyValue> given;
    const std::uint32_t values[] = {3, 2, 2, 2, 2, 2, 3};
    std::uint32_t value[7];
    for (std::uint32_t i = 0; i < 7; ++i) {
      value[i] = left % values[i];
      left /= values[i];
      given.push_back({16 + i, value[i]});
    }
    const bool multiple = value[2] == 1;
    const bool system = value[3] == 1;
    const bool implicit = value[4] == 0;
    const bool retain = value[5] == 0;
    const std::uint32_t processing = value[6];
    const bool expected =
        (retain || processing != 0) && (processing != 1 || multiple) && (!implicit || (system && retain));
    const auto read = read_policies(given);
    EXPECT_EQ(static_cast<bool>(read), expected) << code;
    if (!read) {
      EXPECT_EQ(read.fault().kind, Exception::invalid_policy);
      EXPECT_LT(read.fault().index, 7);
    } else {
      EXPECT_EQ(read->persistent(), value[1] == 1);
      EXPECT_EQ(read->unique(), !multiple);
      EXPECT_EQ(read->system_ids(), system);
      EXPECT_EQ(read->implicit(), implicit);
      EXPECT_EQ(read->retains(), retain);
      EXPECT_EQ(static_cast<std::uint32_t>(read->thread), value[0]);
      EXPECT_EQ(read->has_default_servant(), processing == 1);
      EXPECT_EQ(read->has_activator(), processing == 2 && retain);
      EXPECT_EQ(read->has_locator(), processing == 2 && !retain);
      ++legal;
    }
  }
  // (3 threads)(2 lifespans) x 21 of the 48 combinations of the other five, counted by hand:
  // object map only 3 x 2 (retain; uniqueness free), default servant 3 + 2, servant manager 2 x (3 + 2),
  // where 3 and 2 are the ways of assignment with activation that go with RETAIN and with NON_RETAIN.
  EXPECT_EQ(legal, 3 * 2 * (6 + 5 + 10));
}

TEST(Policies, DemuxIsOneOfThem) {
  const PolicyValue hash[] = {{thread_policy, 1}, {demux_policy, 1}};
  const auto read = read_policies(hash);
  ASSERT_TRUE(read);
  EXPECT_EQ(read->demux, Demux::hash);
  EXPECT_EQ(read->thread, Thread::single_thread);
}

TEST(Policies, TheIndexNamesTheFirstOffender) {
  const PolicyValue unknown_type[] = {{lifespan_policy, 0}, {99, 0}};
  EXPECT_EQ(read_policies(unknown_type).fault().index, 1);
  const PolicyValue unknown_value[] = {{lifespan_policy, 2}};
  EXPECT_EQ(read_policies(unknown_value).fault().index, 0);
  const PolicyValue twice[] = {{lifespan_policy, 0}, {thread_policy, 0}, {lifespan_policy, 0}};
  EXPECT_EQ(read_policies(twice).fault().index, 2);
  const PolicyValue alone[] = {{lifespan_policy, 0}, {processing_policy, 1}};
  EXPECT_EQ(read_policies(alone).fault().index, 1);
  const PolicyValue no_demux[] = {{lifespan_policy, 0}, {demux_policy, 3}};
  EXPECT_EQ(read_policies(no_demux).fault().index, 1);
  const PolicyValue not_retained[] = {{thread_policy, 2}, {retention_policy, 1}, {processing_policy, 0}};
  EXPECT_EQ(read_policies(not_retained).fault().index, 1);
  const PolicyValue implicit_user[] = {{thread_policy, 0}, {activation_policy, 0}, {assignment_policy, 0}};
  EXPECT_EQ(read_policies(implicit_user).fault().index, 1);
}

}  // namespace
}  // namespace tenon::poa
