// SPDX-License-Identifier: Apache-2.0
#include "ior/named_address.hpp"

#include <gtest/gtest.h>

#include <string>

namespace tenon::ior {
namespace {

TEST(NamedAddress, IsANameThatMayHaveAVersion) {
  const auto plain = read_named_address("app.1_x-Y");
  ASSERT_TRUE(plain);
  EXPECT_EQ(plain->name, "app.1_x-Y");
  EXPECT_EQ(plain->minor, 0);
  const auto versioned = read_named_address("1.2@1.0");
  ASSERT_TRUE(versioned);
  EXPECT_EQ(versioned->name, "1.0");
  EXPECT_EQ(versioned->minor, 2);
  EXPECT_EQ(read_named_address("1.9")->name, "1.9") << "no version without an '@'";
}

TEST(NamedAddress, NeedsNoEscapes) {
  EXPECT_TRUE(is_name(std::string(longest_name, 'x')));
  EXPECT_FALSE(is_name(std::string(longest_name + 1, 'x')));
  for (const char* wrong :
       {"", "a b", "a/b", "a,b", "a%62", "@a", "1.2@", "2.0@a", "1.x@a", "1.2@@a", "1.22@a"})
    EXPECT_FALSE(read_named_address(wrong)) << wrong;
}

}  // namespace
}  // namespace tenon::ior
