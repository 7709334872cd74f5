// SPDX-License-Identifier: Apache-2.0
#include "base/over_bound.hpp"

#include <gtest/gtest.h>

#include <thread>

#include "base/minor_codes.hpp"

namespace tenon {
namespace {

TEST(OverBound, IsTakenOnceByItsOwnErrorsOnItsThread) {
  note_over_bound(11, 10);
  EXPECT_EQ(take_over_bound(errors::out_of_data), "");
  std::thread([] { EXPECT_EQ(take_over_bound(errors::over_bound), ""); }).join();
  EXPECT_EQ(take_over_bound(errors::over_bound.with(Completion::yes)),
            "a string, sequence or map is longer than its bound: 11 where 10 are allowed");
  EXPECT_EQ(take_over_bound(errors::over_bound), "");
  note_over_bound(3, 2);
  EXPECT_EQ(take_over_bound(errors::length_above_bound),
            "a string or sequence is longer than its type allows: 3 where 2 are allowed");
  note_over_bound(3, 2);
  forget_over_bound();
  EXPECT_EQ(take_over_bound(errors::length_above_bound), "");
}

}  // namespace
}  // namespace tenon
