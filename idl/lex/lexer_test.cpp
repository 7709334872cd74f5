// SPDX-License-Identifier: Apache-2.0
#include "idl/lex/lexer.hpp"

#include <gtest/gtest.h>

#include "idl/lex/literal.hpp"

namespace tenon::idl {
namespace {

struct Fixture : testing::Test {
  SourceFiles sources{false};
  Diagnostics diagnostics;

  std::vector<Token> tokens(std::string_view text) {
    sources.intern("main.idl");
    Lexer lexer(text, 0, sources, diagnostics);
    std::vector<Token> out;
    while (out.empty() || out.back().kind != TokenKind::End) out.push_back(lexer.next());
    out.pop_back();
    return out;
  }
  std::string first_error() const {
    return diagnostics.all().empty() ? "" : diagnostics.all().front().message;
  }
};

using LexerTest = Fixture;
using LiteralTest = Fixture;

TEST_F(LexerTest, TellsKeywordsNamesAndEscapedNames) {
  const auto found = tokens("module map _module Module _Factory x1_");
  ASSERT_EQ(found.size(), 6u);
  EXPECT_EQ(found[0].kind, TokenKind::Keyword);
  EXPECT_EQ(found[0].keyword, Keyword::Module);
  EXPECT_EQ(found[1].kind, TokenKind::Identifier);
  EXPECT_EQ(found[1].keyword, Keyword::Map);
  EXPECT_EQ(found[2].text, "module");
  EXPECT_TRUE(found[2].escaped);
  EXPECT_EQ(found[3].kind, TokenKind::Identifier);
  EXPECT_EQ(found[3].collides_with, Keyword::Module);
  EXPECT_EQ(found[4].text, "Factory");
  EXPECT_EQ(found[4].collides_with, Keyword::None);
  EXPECT_EQ(found[5].text, "x1_");
}

TEST_F(LexerTest, ReadsNumbersByTheirLongestForm) {
  const auto found = tokens("12 012 0x1fF 1.5 .5 2. 1e3 1.5E-3 10d 1.5d .5D 1..2");
  const std::vector<TokenKind> expected = {
      TokenKind::Integer,    TokenKind::Integer,    TokenKind::Integer,    TokenKind::Floating,
      TokenKind::Floating,   TokenKind::Floating,   TokenKind::Floating,   TokenKind::Floating,
      TokenKind::FixedPoint, TokenKind::FixedPoint, TokenKind::FixedPoint, TokenKind::Floating,
      TokenKind::Floating};
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_EQ(found[i].kind, expected[i]) << found[i].text;
}

TEST_F(LexerTest, FollowsLineMarkersIntoFilesAndBack) {
  const auto found = tokens(
      "#line 1 \"main.idl\"\na\n#line 1 \"one.idl\"\nb\n#line 1 \"two.idl\"\n#line 7 \"main.idl\"\nc\n"
      "# 1 \"one.idl\" 1\nd\n");
  ASSERT_EQ(found.size(), 9u);  // a, enter, b, enter, leave, c, enter, d, leave at the end
  EXPECT_EQ(found[0].span.where, (Location{0, 1, 1}));
  EXPECT_EQ(found[1].kind, TokenKind::FileEnter);
  EXPECT_EQ(found[2].span.where, (Location{1, 1, 1}));
  EXPECT_EQ(found[3].kind, TokenKind::FileEnter);
  EXPECT_EQ(found[4].kind, TokenKind::FileLeave);
  EXPECT_EQ(found[4].span.where.file, 0u);
  EXPECT_EQ(found[5].span.where, (Location{0, 7, 1}));
  EXPECT_EQ(found[6].kind, TokenKind::FileEnter);
  EXPECT_EQ(found[7].span.where, (Location{1, 1, 1}));
  EXPECT_EQ(found[8].kind, TokenKind::FileLeave);
}

TEST_F(LexerTest, FindsColumnsOfTheOriginalLineBehindMacros) {
  sources.set_text(sources.intern("main.idl"), "typedef WIDE name, other;\n");
  const auto found = tokens("typedef unsigned long long name, other;\n");
  ASSERT_EQ(found.size(), 8u);
  EXPECT_EQ(found[0].span.where.column, 1u);
  EXPECT_EQ(found[1].span.where.column, 9u);  // the macro's place
  EXPECT_EQ(found[4].span.where.column, 14u);
  EXPECT_EQ(found[6].span.where.column, 20u);
}

TEST_F(LexerTest, ReportsWhatIsNoToken) {
  tokens("a $ \xc3\xbc \x01 /* open");
  ASSERT_EQ(diagnostics.errors(), 4u);
  EXPECT_EQ(first_error(), "stray '$' in the source");
  EXPECT_EQ(diagnostics.all().back().message, "this comment is never closed");
}

TEST_F(LexerTest, HandsOnPragmasWithoutTheirKeyword) {
  const auto found = tokens("  #pragma   prefix \"x\"  \nmodule\n#ident \"old\"\n");
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].kind, TokenKind::Pragma);
  EXPECT_EQ(found[0].text, "prefix \"x\"");
  EXPECT_EQ(diagnostics.errors(), 0u);
}

TEST_F(LiteralTest, DecodesEscapesOfNarrowStrings) {
  const auto found = tokens(R"("a\n\x41\1012\"\\\?" 'x' '\'' '\377' "\xff")");
  ASSERT_EQ(found.size(), 5u);
  EXPECT_EQ(decode_string(found[0], diagnostics), "a\nAA2\"\\?");
  EXPECT_EQ(decode_char(found[1], diagnostics), std::uint32_t{'x'});
  EXPECT_EQ(decode_char(found[2], diagnostics), std::uint32_t{'\''});
  EXPECT_EQ(decode_char(found[3], diagnostics), 255u);
  EXPECT_EQ(decode_string(found[4], diagnostics), "\xff");
  EXPECT_EQ(diagnostics.errors(), 0u);
}

TEST_F(LiteralTest, DecodesWideStringsToScalarValues) {
  const auto found = tokens("L\"\\u20ac\xe2\x82\xac\xf0\x9f\x98\x80\\ud83d\\ude00\xe9\" L'\\u20aC'");
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(decode_wide_string(found[0], diagnostics),
            (std::u32string{0x20ac, 0x20ac, 0x1f600, 0x1f600, 0xe9}));
  EXPECT_EQ(decode_char(found[1], diagnostics), 0x20acu);
  EXPECT_EQ(diagnostics.errors(), 0u) << first_error();
}

TEST_F(LiteralTest, KeepsIntegersInSixtyFourBits) {
  const auto found =
      tokens("18446744073709551615 0xffffffffffffffff 01777777777777777777777 18446744073709551616");
  ASSERT_EQ(found.size(), 4u);
  for (int i = 0; i < 3; ++i)
    EXPECT_EQ(decode_integer(found[static_cast<std::size_t>(i)], diagnostics), UINT64_MAX);
  EXPECT_EQ(diagnostics.errors(), 0u);
  decode_integer(found[3], diagnostics);
  EXPECT_EQ(diagnostics.errors(), 1u);
}

}  // namespace
}  // namespace tenon::idl
