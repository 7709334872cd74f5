// SPDX-License-Identifier: Apache-2.0
//
// Strings in programs with tenon::parts::code_sets and in those without.
#include "cdr/code_sets.hpp"

#include <gtest/gtest.h>

#include "base/minor_codes.hpp"
#include "cdr/char_sets.hpp"
#include "tenon/parts.hpp"

namespace tenon {
namespace {

constexpr cdr::CodeSet latin9{0x0001000F};

/// Each test begins as a program whose start-up has not named the part.
class WithoutCodeSets : public testing::Test {
 protected:
  WithoutCodeSets() { cdr::more_char_sets = nullptr; }
  ~WithoutCodeSets() override { cdr::use_char_sets(); }
};

TEST_F(WithoutCodeSets, Utf8AndLatin1AreConverted) {
  std::string text;
  EXPECT_TRUE(cdr::convert_chars(cdr::CodeSet::utf8, cdr::CodeSet::iso8859_1, "Gr\xc3\xbc\xc3\x9f", text));
  EXPECT_EQ(text, "Gr\xfc\xdf");
  EXPECT_TRUE(cdr::convert_chars(cdr::CodeSet::iso8859_1, cdr::CodeSet::utf8, "Gr\xfc\xdf", text));
  EXPECT_EQ(text, "Gr\xc3\xbc\xc3\x9f");
}

TEST_F(WithoutCodeSets, OthersTakeAsciiAlone) {
  std::string text;
  EXPECT_TRUE(cdr::convert_chars(cdr::CodeSet::utf8, latin9, "plain", text));
  EXPECT_EQ(text, "plain");
  EXPECT_EQ(cdr::convert_chars(cdr::CodeSet::utf8, latin9, "\xe2\x82\xac", text).error(),
            errors::char_not_in_code_set);
}

TEST_F(WithoutCodeSets, AServerRefusesThemAndAClientChoosesUtf8) {
  EXPECT_FALSE(cdr::supported_chars(latin9));
  // The server has ISO 8859-15 and converts to nothing: what both know is the standard's fall-back.
  const auto chosen = cdr::negotiate(cdr::announced_code_sets({}), {.char_data = {.native = latin9}});
  ASSERT_TRUE(chosen);
  EXPECT_EQ((*chosen).chars, cdr::CodeSet::utf8);
}

TEST_F(WithoutCodeSets, AnOrbThatIsToldToUseOneIsRefused) {
  Configuration configuration;
  configuration.messaging.native.chars = latin9;
  try {
    init_orb(configuration, {client});
    FAIL();
  } catch (const CORBA::BAD_PARAM& refused) {
    EXPECT_EQ(refused._error(), errors::bad_option);
    EXPECT_NE(std::string(refused._reason()).find("tenon::parts::code_sets"), std::string::npos);
  }
  configuration.id = "with code sets";
  init_orb(configuration, {client, parts::code_sets})->destroy();
}

TEST_F(WithoutCodeSets, ThePartConverts) {
  orb::Parts some;
  parts::code_sets(some);
  EXPECT_TRUE(cdr::supported_chars(latin9));
  std::string text;
  EXPECT_TRUE(cdr::convert_chars(cdr::CodeSet::utf8, latin9, "\xe2\x82\xac", text));
  EXPECT_EQ(text, "\xa4");
}

}  // namespace
}  // namespace tenon
