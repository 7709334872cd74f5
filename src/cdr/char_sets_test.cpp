// SPDX-License-Identifier: Apache-2.0
//
// Code sets by the C library: names, numbers, conversion of strings, chars, arrays and blocks.
#include "cdr/char_sets.hpp"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

#include "base/absent_test_support.hpp"
#include "base/minor_codes.hpp"
#include "cdr/block.hpp"
#include "cdr/code_sets.hpp"
#include "cdr/reader.hpp"
#include "cdr/writer.hpp"

namespace tenon::cdr {
namespace {

CodeSet named(std::string_view name) {
  const CharSet* set = find_char_set(name);
  return set != nullptr ? set->id : CodeSet::none;
}
std::string converted(CodeSet from, CodeSet to, std::string_view text) {
  std::string into = "not replaced";
  const Status status = convert_chars(from, to, text, into);
  return status ? into : std::string(describe(status.error()));
}
WireFormat between(CodeSet native, CodeSet transmission) {
  return {.chars = transmission, .native = {.chars = native}};
}

/// Only cross-compiled tests may lack them, under an emulator; elsewhere that would be a fault.
bool lacks_conversions() { return emulated() && !can_convert(*find_char_set("ISO-8859-15")); }

TEST(CharSets, AreFoundByTheirUsualNames) {
  for (const char* name : {"ISO-8859-15", "iso8859-15", "ISO_8859_15", "iso 8859-15", "Latin9", "latin-9"})
    EXPECT_EQ(named(name), CodeSet{0x0001000F}) << name;
  for (const char* name : {"windows-1252", "Windows-1252", "CP1252", "cp-1252", "1252"})
    EXPECT_EQ(named(name), CodeSet{0x100204E4}) << name;
  for (const char* name : {"UTF-8", "utf8"}) EXPECT_EQ(named(name), CodeSet::utf8) << name;
  for (const char* name : {"ISO-8859-1", "iso8859-1", "Latin1"})
    EXPECT_EQ(named(name), CodeSet::iso8859_1) << name;
  for (const char* name : {"EUC-JP", "eucJP", "euc_jp"}) EXPECT_EQ(named(name), CodeSet{0x00030010}) << name;
  for (const char* name : {"Shift_JIS", "SJIS"}) EXPECT_EQ(named(name), CodeSet{0x05000011}) << name;
  EXPECT_EQ(named("EUC-KR"), CodeSet{0x0004000A});
  EXPECT_EQ(named("ISO-8859-2"), CodeSet{0x00010002});
  EXPECT_EQ(named("TIS-620"), CodeSet{0x000B0001});
  EXPECT_EQ(named("ibm850"), CodeSet{0x10020352});
  for (const char* name :
       {"", "-", "UTF-16", "ISO-8859", "IBM037", "ISO-2022-JP", "windows-12522", "windows-125", "koi"})
    EXPECT_EQ(find_char_set(name), nullptr) << name;
}

TEST(CharSets, WhatTheRegistryHasNotIsAnnouncedAsUtf8) {
  for (const char* name :
       {"KOI8-R", "koi8r", "GB18030", "KOI8-U", "Big5", "GBK", "ISO-8859-16", "windows-1258"}) {
    ASSERT_NE(find_char_set(name), nullptr) << name;
    EXPECT_EQ(announced(named(name)), CodeSet::utf8) << name;
    EXPECT_FALSE(supported_chars(named(name))) << name;
    EXPECT_EQ(announced_code_sets({.chars = named(name)}).char_data,
              (CodeSetComponent{CodeSet::utf8, {CodeSet::iso8859_1}}));
  }
  EXPECT_EQ(announced_code_sets({.chars = named("windows-1252")}).char_data,
            (CodeSetComponent{CodeSet{0x100204E4}, {CodeSet::utf8, CodeSet::iso8859_1}}));
  EXPECT_TRUE(supported_chars(named("windows-1252")));
}

TEST(CharSets, EachIsConvertedToUtf8AndBack) {
  if (lacks_conversions()) GTEST_SKIP() << "the emulated C library has no conversions of code sets";
  const struct {
    const char* name;
    const char* octets;
    const char* utf8;
  } texts[] = {
      {"ISO-8859-2", "\xB1\x65", "ąe"},
      {"ISO-8859-5", "\xB6", "Ж"},
      {"ISO-8859-7", "\xE1", "α"},
      {"ISO-8859-15", "1 \xA4", "1 €"},
      {"windows-1250", "\x9A", "š"},
      {"windows-1251", "\xC6", "Ж"},
      {"windows-1252", "\x80 \xE9", "€ é"},
      {"windows-1253", "\xE1", "α"},
      {"IBM437", "\x9B", "¢"},
      {"IBM850", "\x9C", "£"},
      {"IBM866", "\x86", "Ж"},
      {"KOI8-R", "\xD6\xC1", "жа"},
      {"KOI8-U", "\xA4", "є"},
      {"TIS-620", "\xA1", "ก"},
      {"EUC-JP", "\xC6\xFC\xCB\xDC", "日本"},
      {"Shift_JIS", "\x93\xFA\x96\x7B", "日本"},
      {"EUC-KR", "\xC7\xD1", "한"},
      {"EUC-TW", "\xC4\xE3", "中"},
      {"EUC-CN", "\xD6\xD0", "中"},
      {"Big5", "\xA4\xA4", "中"},
      {"GBK", "\x81\x40", "丂"},
      {"GB18030", "\xD6\xD0\x94\x39\xFC\x36", "中😀"},
  };
  for (const auto& text : texts) {
    const CharSet* set = find_char_set(text.name);
    ASSERT_NE(set, nullptr) << text.name;
    EXPECT_TRUE(can_convert(*set)) << text.name;
    EXPECT_EQ(converted(set->id, CodeSet::utf8, text.octets), text.utf8) << text.name;
    EXPECT_EQ(converted(CodeSet::utf8, set->id, text.utf8), text.octets) << text.name;
    EXPECT_EQ(converted(set->id, set->id, text.octets), text.octets);
  }
  // Between two of them.
  EXPECT_EQ(converted(named("KOI8-R"), named("windows-1251"), "\xD6"), "\xE6");
  // Longer than the converter's own memory.
  std::string many, utf8;
  for (int i = 0; i < 5000; ++i) {
    many += "a\x80";
    utf8 += "a€";
  }
  EXPECT_EQ(converted(named("windows-1252"), CodeSet::utf8, many), utf8);
  EXPECT_EQ(converted(CodeSet::utf8, named("windows-1252"), utf8), many);
}

TEST(CharSets, WhatHasNoPlaceAndWhatIsMalformed) {
  if (lacks_conversions()) GTEST_SKIP() << "the emulated C library has no conversions of code sets";
  const std::string no_place(describe(errors::char_not_in_code_set));
  const std::string malformed(describe(errors::malformed_chars));
  EXPECT_EQ(converted(CodeSet::utf8, named("ISO-8859-15"), "日"), no_place);
  EXPECT_EQ(converted(CodeSet::utf8, named("KOI8-R"), "é"), no_place);  // and not an e
  EXPECT_EQ(converted(named("windows-1252"), CodeSet::iso8859_1, "\x80"), no_place);
  EXPECT_EQ(converted(CodeSet::utf8, named("windows-1252"), "\xC3"), malformed);
  EXPECT_EQ(converted(CodeSet::utf8, named("windows-1252"), "\xFF\x41"), malformed);
  EXPECT_EQ(converted(named("EUC-JP"), CodeSet::utf8, "\xC6"), malformed);
  EXPECT_EQ(converted(named("windows-1252"), CodeSet::utf8, "\x81"), malformed);  // no character
  // A failure leaves nothing behind for the next text.
  EXPECT_EQ(converted(named("EUC-JP"), CodeSet::utf8, "\xC6\xFC"), "日");
}

TEST(CharSets, StringsOfMessages) {
  if (lacks_conversions()) GTEST_SKIP() << "the emulated C library has no conversions of code sets";
  const CodeSet windows = named("windows-1252");
  for (const CodeSet transmission : {CodeSet::utf8, windows, named("ISO-8859-15")}) {
    Writer out(between(windows, transmission));
    out.put_string("5 \x80");
    ASSERT_TRUE(out.good());
    Reader peer(out.bytes(), between(CodeSet::utf8, transmission));
    std::string text;
    peer.get_string(text);
    EXPECT_EQ(text, "5 €");
    Reader back(out.bytes(), between(windows, transmission));
    back.get_string(text);
    EXPECT_EQ(text, "5 \x80");
  }
  Writer narrower(between(windows, CodeSet::iso8859_1));
  narrower.put_string("5 \x80");
  EXPECT_EQ(narrower.error(), errors::char_not_in_code_set);
}

// A char above ASCII passes where it is one octet on both sides.
TEST(CharSets, CharsArraysAndBlocks) {
  if (lacks_conversions()) GTEST_SKIP() << "the emulated C library has no conversions of code sets";
  const CodeSet windows = named("windows-1252");
  const CodeSet latin9 = named("ISO-8859-15");
  constexpr Masks<4> masks("c_c.");
  const Block block{.size = 4, .bytes = 4, .align = 1, .has_chars = true, .masks = masks.bytes};
  const struct {
    CodeSet transmission;
    char on_the_wire;
    bool passes;
  } cases[] = {{windows, '\x80', true},
               {latin9, '\xA4', true},
               {CodeSet::iso8859_1, 0, false},
               {CodeSet::utf8, 0, false},
               {named("EUC-JP"), 0, false}};
  for (const auto& each : cases) {
    const WireFormat format = between(windows, each.transmission);
    Writer one(format);
    one.put('\x80');
    EXPECT_EQ(one.good(), each.passes);
    Writer several(format);
    const char text[] = {'a', '\x80', 'b'};
    several.put_array(text, 3);
    EXPECT_EQ(several.good(), each.passes);
    Writer lent(format);
    lent.allow_lending(true);
    const std::string large(2 * Writer::borrow_from, '\x80');
    lent.put_array(large.data(), large.size());
    EXPECT_EQ(lent.good(), each.passes);
    std::vector<char> values;
    for (int i = 0; i < 40; ++i) values.insert(values.end(), {'\x80', 0, 'x', '\xFE'});
    Writer blocks(format);
    put_blocks(blocks, block, values.data(), 40);
    EXPECT_EQ(blocks.good(), each.passes);
    if (!each.passes) continue;
    EXPECT_EQ(one.copy(), (std::vector<std::uint8_t>{static_cast<std::uint8_t>(each.on_the_wire)}));
    EXPECT_EQ(Reader(one.bytes(), format).get_char(), '\x80');
    EXPECT_EQ(several.size(), 3u);
    char back[3] = {};
    Reader(several.bytes(), format).get_array(back, 3);
    EXPECT_EQ(std::string(back, 3), std::string(text, 3));
    EXPECT_EQ(lent.copy(),
              std::vector<std::uint8_t>(large.size(), static_cast<std::uint8_t>(each.on_the_wire)));
    EXPECT_EQ(blocks.copy()[4], static_cast<std::uint8_t>(each.on_the_wire));
    EXPECT_EQ(blocks.copy()[3], 0xFE);
    std::vector<char> again(values.size());
    Reader in(blocks.bytes(), format);
    get_blocks(in, block, again.data(), 40);
    EXPECT_TRUE(in.good());
    EXPECT_EQ(again, values);
  }
}

TEST(CharSets, AnyThread) {
  if (lacks_conversions()) GTEST_SKIP() << "the emulated C library has no conversions of code sets";
  const CodeSet koi = named("KOI8-R");
  const auto work = [koi] {
    for (int i = 0; i < 500; ++i) {
      ASSERT_EQ(converted(koi, CodeSet::utf8, "\xD6"), "ж");
      ASSERT_EQ(converted(CodeSet::utf8, koi, "ж"), "\xD6");
    }
  };
  std::thread other(work);
  work();
  other.join();
}

// More pairs than a thread keeps open.
TEST(CharSets, ManyPairs) {
  if (lacks_conversions()) GTEST_SKIP() << "the emulated C library has no conversions of code sets";
  for (int round = 0; round < 2; ++round) {
    for (const char* from : {"KOI8-R", "windows-1251", "ISO-8859-5", "IBM866", "IBM855"}) {
      for (const char* to : {"KOI8-R", "windows-1251", "ISO-8859-5", "IBM866", "IBM855"}) {
        const std::string text = converted(CodeSet::utf8, named(from), "Жук");
        EXPECT_EQ(converted(named(to), CodeSet::utf8, converted(named(from), named(to), text)), "Жук")
            << from << ' ' << to;
      }
    }
  }
}

}  // namespace
}  // namespace tenon::cdr
