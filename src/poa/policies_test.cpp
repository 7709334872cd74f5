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
    const bool single_or_orb = value[0] != 2;
    const bool multiple = value[2] == 1;
    const bool system = value[3] == 1;
    const bool implicit = value[4] == 0;
    const bool retain = value[5] == 0;
    const std::uint32_t processing = value[6];
    const bool expected = single_or_orb && processing != 2 && (retain || processing == 1) &&
                          (processing != 1 || multiple) && (!implicit || (system && retain));
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
      ++legal;
    }
  }
  EXPECT_GT(legal, 0);
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
  const PolicyValue main_thread[] = {{lifespan_policy, 0}, {assignment_policy, 1}, {thread_policy, 2}};
  EXPECT_EQ(read_policies(main_thread).fault().index, 2);
  const PolicyValue implicit_user[] = {{thread_policy, 0}, {activation_policy, 0}, {assignment_policy, 0}};
  EXPECT_EQ(read_policies(implicit_user).fault().index, 1);
}

}  // namespace
}  // namespace tenon::poa
