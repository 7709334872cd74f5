// SPDX-License-Identifier: Apache-2.0
#include "base/operation_number.hpp"

#include <gtest/gtest.h>

#include <string>

namespace tenon {
namespace {

constexpr NumberCheck check{'x', '7', 'Q', 'z'};

TEST(OperationNumber, IsWrittenAndRead) {
  OperationNumberText text;
  for (std::uint32_t number = 0; number <= largest_operation_number; ++number) {
    text.write(number, check);
    const std::string digits = std::to_string(number);
    EXPECT_EQ(text.view(), std::string(4 - digits.size(), '0') + digits + "x7Qz");
    EXPECT_TRUE(is_operation_number(text.view()));
    EXPECT_TRUE(is_offered_number(text.view()));
    EXPECT_EQ(read_operation_number(text.view(), check), number);
    EXPECT_EQ(read_operation_number(text.view(), {'x', '7', 'Q', 'y'}), no_operation_number);
    EXPECT_EQ(read_operation_number(digits, check), number);
  }
}

TEST(OperationNumber, NothingElseIsOne) {
  for (const char* text : {"", ".", "x7Qz", "x", "00", "01", "-1", "+1", "1 ", "0x1", "100000", "4294967296",
                           "017x7Qz", "00017x7Qz", "0017x7Qz0", "0017.7Qz", "\xB1"})
    EXPECT_EQ(read_operation_number(text, check), no_operation_number) << text;
  // Each digit replaced by every other octet.
  for (std::size_t at = 0; at < 4; ++at) {
    for (int octet = 0; octet < 256; ++octet) {
      if (octet >= '0' && octet <= '9') continue;
      std::string text = "0017x7Qz";
      text[at] = static_cast<char>(octet);
      EXPECT_EQ(read_operation_number(text, check), no_operation_number) << at << ' ' << octet;
    }
  }
  for (const char* name : {"", "add", "_get_title", "A", "\xC3\xA4", "z017x7Qz"}) {
    EXPECT_FALSE(is_operation_number(name)) << name;
    EXPECT_FALSE(is_offered_number(name)) << name;
  }
  EXPECT_FALSE(is_offered_number("17"));
  EXPECT_FALSE(is_offered_number("1234567"));
}

}  // namespace
}  // namespace tenon
