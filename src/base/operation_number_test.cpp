// SPDX-License-Identifier: Apache-2.0
#include "base/operation_number.hpp"

#include <gtest/gtest.h>

#include <string>

namespace tenon {
namespace {

constexpr NumberCheck check{'x', '7', 'Q', 'z'};

TEST(OperationNumber, IsWrittenAndRead) {
  OperationNumberText text;
  for (const std::uint32_t number : {0u, 1u, 9u, 10u, 42u, 99u, 100u, 999u, 1000u, 9999u, 10000u, 65535u}) {
    ASSERT_TRUE(text.write(number, check));
    EXPECT_EQ(text.view(), std::to_string(number) + ".x7Qz");
    EXPECT_TRUE(is_operation_number(text.view()));
    EXPECT_TRUE(is_offered_number(text.view()));
    EXPECT_EQ(read_operation_number(text.view(), check), number);
    EXPECT_EQ(read_operation_number(text.view(), {'x', '7', 'Q', 'y'}), no_operation_number);
    EXPECT_EQ(read_operation_number(std::to_string(number), check), number);
  }
  EXPECT_FALSE(text.write(65536, check));
}

TEST(OperationNumber, NothingElseIsOne) {
  for (const char* text : {"",   ".",     ".x7Qz",   "x",           "00",         "01",       "00.x7Qz",
                           "1.", "1.x7Q", "1.x7Qzz", "1x7Qz",       "1,x7Qz",     "-1",       "+1",
                           "1 ", "0x1",   "100000",  "100000.x7Qz", "4294967296", "1.1.x7Qz", "\xB1"})
    EXPECT_EQ(read_operation_number(text, check), no_operation_number) << text;
  for (const char* name : {"", "add", "_get_title", "A", "\xC3\xA4", "z.x7Qz"}) {
    EXPECT_FALSE(is_operation_number(name)) << name;
    EXPECT_FALSE(is_offered_number(name)) << name;
  }
  EXPECT_FALSE(is_offered_number("17"));
  EXPECT_FALSE(is_offered_number("123456"));
}

}  // namespace
}  // namespace tenon
