// SPDX-License-Identifier: Apache-2.0
#include "base/joined.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <iterator>

namespace tenon {
namespace {

TEST(Joined, TextsTakeTheirPlacesInASentence) {
  EXPECT_EQ(worded("option %: wants %", {"-ORBid", "name"}), "option -ORBid: wants name");
  EXPECT_EQ(worded("%%", {"a", ""}), "a");
  EXPECT_EQ(worded("as it is", {}), "as it is");
  EXPECT_EQ(worded("", {"unused"}), "");
  EXPECT_EQ(worded("% is % %", {"one"}), "one is  ") << "too few texts: nothing stands in their places";
  EXPECT_EQ(worded("%", {"100 % of it"}), "100 % of it");
}

TEST(Joined, NumbersOfEachType) {
  EXPECT_EQ(decimal(std::uint64_t{UINT64_MAX}), "18446744073709551615");
  EXPECT_EQ(decimal(std::int64_t{INT64_MIN}), "-9223372036854775808");
  EXPECT_EQ(decimal(std::uint16_t{65535}), "65535");
  EXPECT_EQ(decimal(0U), "0");
  EXPECT_EQ(decimal(-1), "-1");
}

TEST(Joined, ABeginningHasWholeCharacters) {
  // Of one octet, two, three, four and one.
  const std::string letters = "a\xC3\xBC\xE4\xB8\xAD\xF0\x9F\x98\x80z";
  const std::size_t ends[] = {0, 1, 1, 3, 3, 3, 6, 6, 6, 6, 10, 11, 11};
  for (std::size_t most = 0; most < std::size(ends); ++most)
    EXPECT_EQ(beginning(letters, most), letters.substr(0, ends[most])) << most;
  const std::string broken(9, '\x80');
  EXPECT_EQ(beginning(broken, 7).size(), 7U);
  EXPECT_EQ(beginning(broken, 2).size(), 2U);
}

}  // namespace
}  // namespace tenon
