// SPDX-License-Identifier: Apache-2.0
#include "idl/support/utf8.hpp"

#include <gtest/gtest.h>

namespace tenon::idl {
namespace {

// The first and the last scalar value of each length (RFC 3629 section 3).
TEST(Utf8, EveryLength) {
  EXPECT_EQ(to_utf8(U""), "");
  EXPECT_EQ(to_utf8(std::u32string(1, U'\0')), std::string(1, '\0'));
  EXPECT_EQ(to_utf8(U"a\x7f"), "a\x7f");
  EXPECT_EQ(to_utf8(U"\x80\x7ff"), "\xc2\x80\xdf\xbf");
  EXPECT_EQ(to_utf8(U"\x800\xffff"), "\xe0\xa0\x80\xef\xbf\xbf");
  EXPECT_EQ(to_utf8(U"\x10000\x10ffff"), "\xf0\x90\x80\x80\xf4\x8f\xbf\xbf");
}

}  // namespace
}  // namespace tenon::idl
