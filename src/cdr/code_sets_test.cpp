// SPDX-License-Identifier: Apache-2.0
//
// The negotiation of §7.10.2.6 case by case, the CDR of its structures, conversions.
#include "cdr/code_sets.hpp"

#include <gtest/gtest.h>

#include "base/absent_test_support.hpp"
#include "base/hex.hpp"
#include "base/minor_codes.hpp"
#include "cdr/char_sets.hpp"
#include "cdr/naive_cdr_test_support.hpp"
#include "cdr/reader.hpp"
#include "cdr/writer.hpp"

namespace tenon::cdr {
namespace {

constexpr CodeSet latin1 = CodeSet::iso8859_1;
constexpr CodeSet utf8 = CodeSet::utf8;
constexpr CodeSet utf16 = CodeSet::utf16;
constexpr CodeSet ucs2 = CodeSet::ucs2;
constexpr CodeSet latin2 = CodeSet{0x00010002};
constexpr CodeSet korean = CodeSet{0x0004000A};

CodeSet chosen(const CodeSetComponent& client, const CodeSetComponent& server) {
  const Result<CodeSet> result = negotiate(client, server, utf8);
  return result ? *result : CodeSet::none;
}

TEST(Negotiation, OneKindOfText) {
  // No conversion.
  EXPECT_EQ(chosen({latin1, {}}, {latin1, {}}), latin1);
  EXPECT_EQ(chosen({korean, {utf8}}, {korean, {utf8}}), korean);
  // The client converts; this is preferred to conversion by the server.
  EXPECT_EQ(chosen({utf8, {latin1}}, {latin1, {}}), latin1);
  EXPECT_EQ(chosen({utf8, {latin1}}, {latin1, {utf8}}), latin1);
  // The server converts.
  EXPECT_EQ(chosen({utf8, {}}, {latin1, {utf8}}), utf8);
  // Both convert to a common set: the server's first.
  EXPECT_EQ(chosen({latin1, {utf8, korean}}, {latin2, {korean, utf8}}), korean);
  // The fall-back, if the repertoires can meet there.
  EXPECT_EQ(chosen({latin1, {}}, {latin2, {}}), utf8);
  EXPECT_EQ(negotiate({latin1, {}}, {korean, {}}, utf8).error(), errors::code_sets_incompatible);
  EXPECT_EQ(negotiate({utf16, {}}, {ucs2, {}}, utf16).error(), Error{});
}

TEST(Negotiation, BothKinds) {
  const CodeSetComponentInfo ours = announced_code_sets({});
  EXPECT_EQ(*negotiate(ours, ours), (CodeSetContext{utf8, utf16}));
  // omniORB announces ISO 8859-1 and UTF-16 natively.
  EXPECT_EQ(*negotiate(ours, {{latin1, {utf8}}, {utf16, {}}}), (CodeSetContext{latin1, utf16}));
  // A peer that says nothing.
  EXPECT_EQ(*negotiate(ours, {{latin1, {}}, {}}), (CodeSetContext{latin1, CodeSet::none}));
  // A peer with wide characters that we must convert for.
  EXPECT_EQ(*negotiate(ours, {{utf8, {}}, {ucs2, {}}}), (CodeSetContext{utf8, ucs2}));
  EXPECT_EQ(negotiate(ours, {{utf8, {}}, {korean, {}}}).error(), errors::code_sets_incompatible);
}

TEST(Negotiation, WhatIsAnnounced) {
  const CodeSet ucs2_3 = CodeSet::ucs2_level3;
  const CodeSet ucs4 = CodeSet::ucs4;
  const CodeSet ucs4_3 = CodeSet::ucs4_level3;
  EXPECT_EQ(announced_code_sets({}),
            (CodeSetComponentInfo{{utf8, {latin1}}, {utf16, {ucs2, ucs2_3, ucs4, ucs4_3}}}));
  EXPECT_EQ(announced_code_sets({latin1, ucs2}),
            (CodeSetComponentInfo{{latin1, {utf8}}, {ucs2, {utf16, ucs2_3, ucs4, ucs4_3}}}));
  EXPECT_EQ(announced_code_sets({utf8, CodeSet::none}), (CodeSetComponentInfo{{utf8, {latin1}}, {}}));
  for (const CodeSet set : {latin1, utf8}) EXPECT_TRUE(supported_chars(set) && !supported_wchars(set));
  for (const CodeSet set : {utf16, ucs2, ucs2_3, ucs4, CodeSet{0x00010105}, ucs4_3})
    EXPECT_TRUE(supported_wchars(set) && !supported_chars(set));
}

TEST(Negotiation, PeersOfUcs4GetIt) {
  const CodeSetComponentInfo ours = announced_code_sets({});
  for (const CodeSet set : {CodeSet::ucs4, CodeSet::ucs4_level3, CodeSet::ucs2_level3}) {
    EXPECT_EQ(*negotiate(ours, {{utf8, {}}, {set, {}}}), (CodeSetContext{utf8, set}));
    EXPECT_EQ(*negotiate({{utf8, {}}, {set, {}}}, ours), (CodeSetContext{utf8, set}));
    EXPECT_EQ(*negotiate({{utf8, {}}, {set, {utf16}}}, ours), (CodeSetContext{utf8, utf16}));
  }
}

TEST(Negotiation, Utf8WhereItIsPreferredAndBothKnowIt) {
  const CodeSetComponentInfo ours = announced_code_sets({});
  // GlassFish: ISO 8859-1 natively, and it converts UTF-8.
  const CodeSetComponentInfo java{{latin1, {utf8, CodeSet{0x00010020}}}, {utf16, {ucs2}}};
  EXPECT_EQ(*negotiate(ours, java), (CodeSetContext{latin1, utf16}));
  EXPECT_EQ(*negotiate(ours, java, true), (CodeSetContext{utf8, utf16}));
  EXPECT_EQ(*negotiate(announced_code_sets({latin1, utf16}), java, true), (CodeSetContext{utf8, utf16}));
  // One that does not know it gets what it knows.
  EXPECT_EQ(*negotiate(ours, {{latin1, {latin2}}, {}}, true), (CodeSetContext{latin1, CodeSet::none}));
  EXPECT_EQ(negotiate({{latin1, {}}, {}}, {{korean, {utf8}}, {}}, true).error(),
            errors::code_sets_incompatible);
}

TEST(Negotiation, ComponentOnTheWire) {
  const CodeSetComponentInfo info = announced_code_sets({});
  Encapsulation capsule({.order = ByteOrder::big});
  put(capsule.content(), info);
  EXPECT_EQ(to_hex(capsule.bytes()),
            "00000000"
            "05010001"
            "00000001"
            "00010001"
            "00010109"
            "00000004"
            "00010100"
            "00010102"
            "00010104"
            "00010106");
  Reader reader = Reader::encapsulation(capsule.bytes());
  const Result<CodeSetComponentInfo> back = get_code_set_component(reader);
  ASSERT_TRUE(back);
  EXPECT_EQ(*back, info);

  std::vector<std::uint8_t> cut = owned(capsule.bytes());
  while (!cut.empty()) {
    cut.pop_back();
    Reader shorter = Reader::encapsulation(cut);
    EXPECT_FALSE(get_code_set_component(shorter));
  }
}

TEST(Negotiation, ContextOnTheWire) {
  Encapsulation capsule({.order = ByteOrder::little});
  put(capsule.content(), CodeSetContext{latin1, utf16});
  EXPECT_EQ(to_hex(capsule.bytes()), "010000000100010009010100");
  Reader reader = Reader::encapsulation(capsule.bytes());
  EXPECT_EQ(*get_code_set_context(reader), (CodeSetContext{latin1, utf16}));
  const std::uint8_t cut[] = {0, 0, 0, 0, 5, 1, 0, 1, 0, 1};
  Reader shorter = Reader::encapsulation(cut);
  EXPECT_EQ(get_code_set_context(shorter).error(), errors::out_of_data);
}

TEST(Conversion, EveryLatin1CharacterGoesBothWays) {
  for (unsigned c = 0; c < 256; ++c) {
    const std::string one(1, static_cast<char>(c));
    std::string wide, back;
    ASSERT_TRUE(convert_chars(latin1, utf8, one, wide));
    EXPECT_EQ(wide.size(), c < 0x80 ? 1u : 2u);
    ASSERT_TRUE(convert_chars(utf8, latin1, wide, back));
    EXPECT_EQ(back, one);
  }
}

TEST(Conversion, MalformedUtf8) {
  std::string out;
  for (const char* text : {"\x80", "\xC1\x80", "\xC3", "\xC3\x41", "\xFF", "\xC0\x80", "\xF8\x88"}) {
    EXPECT_EQ(convert_chars(utf8, latin1, text, out).error(), errors::malformed_chars) << text;
  }
  EXPECT_EQ(convert_chars(utf8, latin1, "\xC4\x80", out).error(), errors::char_not_in_code_set);
  // Only under an emulator may the C library lack conversions.
  if (!emulated() || can_convert(*find_char_set("EUC-KR"))) {
    EXPECT_EQ(convert_chars(korean, latin1, "\xC4\x80", out).error(), errors::malformed_chars);
  }
  constexpr CodeSet unknown = CodeSet{0x00040001};
  EXPECT_EQ(convert_chars(unknown, latin1, "\xC4\x80", out).error(), errors::char_not_in_code_set);
  EXPECT_TRUE(convert_chars(unknown, latin1, "ascii", out));
  EXPECT_EQ(out, "ascii");
}

TEST(Conversion, EveryUnicodeScalarGoesThroughUtf16) {
  for (std::uint32_t scalar = 0; scalar <= 0x110000; ++scalar) {
    std::uint16_t units[2] = {};
    const unsigned count = encode_units(utf16, static_cast<wchar_t>(scalar), units);
    const bool valid = scalar <= 0x10FFFF && (scalar < 0xD800 || scalar > 0xDFFF);
    ASSERT_EQ(count, valid ? (scalar < 0x10000 ? 1u : 2u) : 0u) << scalar;
    if (!valid) continue;
    UnitDecoder decoder(utf16);
    wchar_t back = 0;
    bool done = decoder.put(units[0], back);
    if (count == 2) {
      ASSERT_FALSE(done);
      ASSERT_FALSE(decoder.complete());
      done = decoder.put(units[1], back);
    }
    ASSERT_TRUE(done && decoder.complete());
    ASSERT_EQ(static_cast<std::uint32_t>(back), scalar);
  }
}

}  // namespace
}  // namespace tenon::cdr
