// SPDX-License-Identifier: Apache-2.0
//
// Strings, wide strings and single characters, per GIOP version and code set.
#include <gtest/gtest.h>

#include "base/hex.hpp"
#include "base/minor_codes.hpp"
#include "cdr/naive_cdr_test_support.hpp"
#include "cdr/reader.hpp"
#include "cdr/writer.hpp"

namespace tenon::cdr {
namespace {

using Bytes = std::vector<std::uint8_t>;

WireFormat wire(std::uint8_t minor, ByteOrder order = ByteOrder::big, CodeSet wchars = CodeSet::utf16) {
  return {.giop_minor = minor, .order = order, .wchars = wchars};
}
WireFormat chars(CodeSet native, CodeSet transmission) {
  return {.order = ByteOrder::big, .chars = transmission, .native = {.chars = native}};
}

/// What put(...) wrote, as hexadecimal, or the error's number.
template <typename Put>
std::string written(WireFormat format, Put put) {
  Writer writer(format);
  put(writer);
  return writer.good() ? to_hex(writer.bytes()) : std::string(describe(writer.error()));
}
std::string written_wide(WireFormat format, std::wstring_view text) {
  return written(format, [&](Writer& writer) { writer.put_wstring(text); });
}
std::string written_wchar(WireFormat format, wchar_t value) {
  return written(format, [&](Writer& writer) { writer.put_wchar(value); });
}
std::string written_string(WireFormat format, std::string_view text) {
  return written(format, [&](Writer& writer) { writer.put_string(text); });
}

Bytes bytes(std::string_view hex) {
  Bytes out;
  EXPECT_TRUE(from_hex(hex, out)) << hex;
  return out;
}

struct WideResult {
  std::wstring text;
  Error error;
  bool operator==(const WideResult&) const = default;
};
WideResult read_wide(WireFormat format, std::string_view hex, std::size_t bound = 0) {
  const Bytes message = bytes(hex);
  Reader reader(message, format);
  std::wstring text = L"old";
  reader.get_wstring(text, bound);
  EXPECT_TRUE(!reader.good() || reader.remaining() == 0);
  return {text, reader.error()};
}
std::pair<wchar_t, Error> read_wchar(WireFormat format, std::string_view hex) {
  const Bytes message = bytes(hex);
  Reader reader(message, format);
  const wchar_t value = reader.get_wchar();
  EXPECT_TRUE(!reader.good() || reader.remaining() == 0);
  return {value, reader.error()};
}
std::pair<std::string, Error> read_string(WireFormat format, const Bytes& message, std::size_t bound = 0) {
  Reader reader(message, format);
  std::string text = "old";
  reader.get_string(text, bound);
  return {text, reader.error()};
}

TEST(Wstring, Giop12) {
  EXPECT_EQ(written_wide(wire(2), L""), "00000000");
  EXPECT_EQ(written_wide(wire(2), L"Aé"), "00000004004100e9");
  // Big-endian whatever the message's order.
  EXPECT_EQ(written_wide(wire(2, ByteOrder::little), L"Aé"), "04000000004100e9");
  EXPECT_EQ(written_wide(wire(2), L"\U0001F600"), "00000004d83dde00");
  // A first character that would be taken for a mark is written after a mark.
  EXPECT_EQ(written_wide(wire(2), L"\xFEFFz"), "00000006fefffeff007a");
  EXPECT_EQ(written_wide(wire(2), std::wstring(1, wchar_t{0xFFFE})), "00000004fefffffe");

  EXPECT_EQ(read_wide(wire(2), "00000000"), (WideResult{L"", {}}));
  EXPECT_EQ(read_wide(wire(2), "0000000800e90041d83dde00"), (WideResult{L"éA\U0001F600", {}}));
  EXPECT_EQ(read_wide(wire(2), "00000006feff00e90041"), (WideResult{L"éA", {}}));
  EXPECT_EQ(read_wide(wire(2), "00000006fffee9004100"), (WideResult{L"éA", {}}));
  EXPECT_EQ(read_wide(wire(2), "00000006fefffeff007a"), (WideResult{L"\xFEFFz", {}}));
  EXPECT_EQ(read_wide(wire(2, ByteOrder::little), "0200000000e9"), (WideResult{L"é", {}}));

  EXPECT_EQ(read_wide(wire(2), "00000003004100").error, errors::bad_wide_text);
  EXPECT_EQ(read_wide(wire(2), "0000000400410000").error, errors::nul_in_string);
  EXPECT_EQ(read_wide(wire(2), "00000002d83d").error, errors::char_not_in_code_set);
  EXPECT_EQ(read_wide(wire(2), "00000002de00").error, errors::char_not_in_code_set);
  EXPECT_EQ(read_wide(wire(2), "00000004d83d0041").error, errors::char_not_in_code_set);
  EXPECT_EQ(read_wide(wire(2), "000000040041").error, errors::length_beyond_data);
  EXPECT_EQ(read_wide(wire(2), "0000000400410042", 1).error, errors::length_above_bound);
  EXPECT_EQ(read_wide(wire(2), "0000000400410042", 2).text, L"AB");
}

TEST(Wstring, Giop11) {
  EXPECT_EQ(written_wide(wire(1), L""), "000000010000");
  EXPECT_EQ(written_wide(wire(1), L"Aé"), "00000003004100e90000");
  EXPECT_EQ(written_wide(wire(1, ByteOrder::little), L"Aé"), "030000004100e9000000");
  EXPECT_EQ(written_wide(wire(1), L"\U0001F600"), "00000003d83dde000000");
  EXPECT_EQ(read_wide(wire(1), "00000003004100e90000"), (WideResult{L"Aé", {}}));
  EXPECT_EQ(read_wide(wire(1, ByteOrder::little), "030000004100e9000000"), (WideResult{L"Aé", {}}));
  EXPECT_EQ(read_wide(wire(1), "00000003d83dde000000"), (WideResult{L"\U0001F600", {}}));
  EXPECT_EQ(read_wide(wire(1), "00000000"), (WideResult{L"", {}}));
  EXPECT_EQ(read_wide(wire(1), "0000000200410042").error, errors::string_without_nul);
  EXPECT_EQ(read_wide(wire(1), "00000003000000420000").error, errors::nul_in_string);
  EXPECT_EQ(read_wide(wire(1), "00000002d83d0000").error, errors::char_not_in_code_set);
  EXPECT_EQ(read_wide(wire(1), "000000040041").error, errors::length_beyond_data);
}

TEST(Wstring, WhereItIsNotAllowed) {
  EXPECT_EQ(written_wide(wire(0), L"A"), describe(errors::wchar_sent_in_giop_1_0));
  EXPECT_EQ(written_wchar(wire(0), L'A'), describe(errors::wchar_sent_in_giop_1_0));
  Writer writer(wire(2, ByteOrder::big, CodeSet::none));
  writer.put_wstring(L"A");
  EXPECT_EQ(writer.error(), errors::wchar_not_supported);
  Writer single(wire(2, ByteOrder::big, CodeSet::none));
  single.put_wchar(L'A');
  EXPECT_EQ(single.error(), errors::wchar_not_supported);
  EXPECT_EQ(read_wide(wire(0), "0000000400410042").error, errors::wchar_sent_in_giop_1_0);
  EXPECT_EQ(read_wide(wire(2, ByteOrder::big, CodeSet::none), "0000000400410042").error,
            errors::wchar_not_in_context);
  EXPECT_EQ(read_wchar(wire(2, ByteOrder::big, CodeSet::none), "020041").second,
            errors::wchar_not_in_context);
  EXPECT_EQ(read_wide(wire(2, ByteOrder::big, CodeSet{0x12345}), "00000000").error,
            errors::code_set_not_supported);
}

TEST(Wstring, WhatHasNoPlace) {
  const std::string_view no_place = describe(errors::char_not_in_code_set);
  EXPECT_EQ(written_wide(wire(2), std::wstring(1, static_cast<wchar_t>(0xD800))), no_place);
  EXPECT_EQ(written_wide(wire(2), std::wstring(1, static_cast<wchar_t>(0x110000))), no_place);
  EXPECT_EQ(written_wide(wire(2, ByteOrder::big, CodeSet::ucs2), L"\U0001F600"), no_place);
  EXPECT_EQ(written_wide(wire(2, ByteOrder::big, CodeSet::ucs2), L"Aé"), "00000004004100e9");
  EXPECT_EQ(read_wide(wire(2, ByteOrder::big, CodeSet::ucs2), "00000004d83dde00").error,
            errors::char_not_in_code_set);
  EXPECT_EQ(written_wide(wire(2), std::wstring_view(L"a\0b", 3)), describe(errors::nul_in_argument));
}

/// Of a process whose native code set is UCS-2.
WireFormat of_ucs2(std::uint8_t minor, CodeSet wchars) {
  WireFormat format = wire(minor, ByteOrder::big, wchars);
  format.native.wchars = CodeSet::ucs2;
  return format;
}
std::wstring units(std::initializer_list<std::uint32_t> each) {
  std::wstring text;
  for (const std::uint32_t unit : each) text += static_cast<wchar_t>(unit);
  return text;
}

TEST(LoneSurrogates, PassWhereTheNativeSetIsUcs2) {
  const std::wstring lone = units({0x41, 0xD83D, 0x42, 0xDE00});
  for (const CodeSet set : {CodeSet::ucs2, CodeSet::utf16}) {
    EXPECT_EQ(written_wide(of_ucs2(2, set), lone), "000000080041d83d0042de00");
    EXPECT_EQ(read_wide(of_ucs2(2, set), "000000080041d83d0042de00"), (WideResult{lone, {}}));
    EXPECT_EQ(read_wide(of_ucs2(2, set), "0000000afffe41003dd8420000de"), (WideResult{lone, {}}));
    EXPECT_EQ(written_wide(of_ucs2(1, set), lone), "000000050041d83d0042de000000");
    EXPECT_EQ(read_wide(of_ucs2(1, set), "000000050041d83d0042de000000"), (WideResult{lone, {}}));
    EXPECT_EQ(written_wide(of_ucs2(2, set), units({0x110000})), describe(errors::char_not_in_code_set));
    EXPECT_EQ(read_wide(of_ucs2(2, set), "0000000400410000").error, errors::nul_in_string);
    EXPECT_EQ(read_wide(of_ucs2(2, set), "00000003004100").error, errors::bad_wide_text);
    EXPECT_EQ(read_wide(of_ucs2(2, set), "00000004d83dd83d", 1).error, errors::length_above_bound);
    for (const std::uint32_t unit : {0xD800U, 0xDBFFU, 0xDC00U, 0xDFFFU, 0x41U}) {
      const auto value = static_cast<wchar_t>(unit);
      for (const std::uint8_t minor : {std::uint8_t{1}, std::uint8_t{2}}) {
        Writer writer(of_ucs2(minor, set));
        writer.put_wchar(value);
        ASSERT_TRUE(writer.good());
        EXPECT_EQ(writer.size(), minor == 1 ? 2u : 3u);
        Reader reader(writer.bytes(), of_ucs2(minor, set));
        EXPECT_EQ(reader.get_wchar(), value);
        EXPECT_TRUE(reader.good() && reader.remaining() == 0);
      }
    }
  }
}

// A pair of surrogates is two characters of UCS-2 and one of UTF-16.
TEST(LoneSurrogates, PairsKeepTheMeaningOfTheMessagesCodeSet) {
  EXPECT_EQ(read_wide(of_ucs2(2, CodeSet::ucs2), "00000004d83dde00"),
            (WideResult{units({0xD83D, 0xDE00}), {}}));
  EXPECT_EQ(written_wide(of_ucs2(2, CodeSet::ucs2), units({0xD83D, 0xDE00})), "00000004d83dde00");
  EXPECT_EQ(written_wide(of_ucs2(2, CodeSet::ucs2), L"\U0001F600"), describe(errors::char_not_in_code_set));
  EXPECT_EQ(read_wide(of_ucs2(2, CodeSet::utf16), "00000004d83dde00"), (WideResult{L"\U0001F600", {}}));
  EXPECT_EQ(read_wide(of_ucs2(2, CodeSet::utf16), "00000008d83dd83dde00de00"),
            (WideResult{units({0xD83D, 0x1F600, 0xDE00}), {}}));
  EXPECT_EQ(written_wide(of_ucs2(2, CodeSet::utf16), L"\U0001F600"), "00000004d83dde00");
  const auto read_wchar = [](CodeSet set, std::string_view hex) {
    const Bytes octets = bytes(hex);
    Reader reader(octets, of_ucs2(2, set));
    const wchar_t value = reader.get_wchar();
    return std::pair(static_cast<std::uint32_t>(value), reader.error());
  };
  EXPECT_EQ(read_wchar(CodeSet::utf16, "04d83dde00"), std::pair(0x1F600U, Error()));
  EXPECT_EQ(read_wchar(CodeSet::ucs2, "04d83dde00"), std::pair(0U, errors::bad_wide_text));
  EXPECT_EQ(read_wchar(CodeSet::ucs2, "04fffe3dd8"), std::pair(0xD83DU, Error()));
  EXPECT_EQ(read_wchar(CodeSet::ucs2, "03d83d00"), std::pair(0U, errors::bad_wide_text));
  EXPECT_EQ(read_wchar(CodeSet::ucs2, "00"), std::pair(0U, errors::bad_wide_text));
  EXPECT_EQ(read_wchar(CodeSet::utf16, "06d83dde000041"), std::pair(0U, errors::bad_wide_text));
}

TEST(Ucs4, WhereAPeerAsksForIt) {
  for (const CodeSet set : {CodeSet::ucs4, CodeSet::ucs4_level3}) {
    const WireFormat format = wire(2, ByteOrder::little, set);
    EXPECT_EQ(written_wide(format, L""), "00000000");
    EXPECT_EQ(written_wide(format, L"A\U0001F600"), "08000000000000410001f600");
    EXPECT_EQ(written_wide(format, L"\xFEFFz"), "0c0000000000feff0000feff0000007a");
    EXPECT_EQ(read_wide(format, "08000000000000410001f600"), (WideResult{L"A\U0001F600", {}}));
    EXPECT_EQ(read_wide(format, "0c0000000000feff000000410001f600"), (WideResult{L"A\U0001F600", {}}));
    EXPECT_EQ(read_wide(format, "0c000000fffe00004100000000f60100"), (WideResult{L"A\U0001F600", {}}));
    EXPECT_EQ(read_wide(format, "0c0000000000feff0000feff0000007a"), (WideResult{L"\xFEFFz", {}}));
    EXPECT_EQ(read_wide(format, "0800000000000041").error, errors::length_beyond_data);
    EXPECT_EQ(read_wide(format, "06000000000000410042").error, errors::bad_wide_text);
    EXPECT_EQ(read_wide(format, "080000000000004100000000").error, errors::nul_in_string);
    for (const char* wrong : {"04000000"
                              "0000d800",
                              "04000000"
                              "00110000",
                              "04000000"
                              "ffffffff"})
      EXPECT_EQ(read_wide(format, wrong).error, errors::char_not_in_code_set) << wrong;
    EXPECT_EQ(read_wide(format, "08000000000000410000004200", 1).error, errors::length_above_bound);
    EXPECT_EQ(written_wide(format, std::wstring(1, static_cast<wchar_t>(0xD800))),
              describe(errors::char_not_in_code_set));
    EXPECT_EQ(written_wchar(format, L'\U0001F600'), "040001f600");
    EXPECT_EQ(written_wchar(format, static_cast<wchar_t>(0x110000)), describe(errors::char_not_in_code_set));
    for (const wchar_t character : {L'A', L'\xFEFF', L'\U0001F600'}) {
      Writer writer(format);
      writer.put_wchar(character);
      Reader reader(writer.bytes(), format);
      EXPECT_EQ(reader.get_wchar(), character);
      EXPECT_TRUE(reader.good() && reader.remaining() == 0);
    }
    const Bytes short_one = bytes("020041");
    Reader reader(short_one, format);
    reader.get_wchar();
    EXPECT_EQ(reader.error(), errors::bad_wide_text);
    // GIOP 1.1 has two octets for each.
    EXPECT_EQ(written_wide(wire(1, ByteOrder::big, set), L"A"), describe(errors::code_set_not_supported));
    EXPECT_EQ(read_wide(wire(1, ByteOrder::big, set), "0000000200000041").error,
              errors::code_set_not_supported);
  }
  WireFormat lone = wire(2, ByteOrder::big, CodeSet::ucs4);
  lone.native.wchars = CodeSet::ucs2;
  EXPECT_EQ(written_wide(lone, units({0xD800})), "000000040000d800");
  EXPECT_EQ(read_wide(lone, "000000040000d800"), (WideResult{units({0xD800}), {}}));
}

TEST(Wchar, PerVersion) {
  EXPECT_EQ(written_wchar(wire(2), L'é'), "0200e9");
  EXPECT_EQ(written_wchar(wire(2, ByteOrder::little), L'é'), "0200e9");
  EXPECT_EQ(written_wchar(wire(2), L'\U0001F600'), "04d83dde00");
  EXPECT_EQ(written_wchar(wire(2), L'\xFEFF'), "04fefffeff");
  EXPECT_EQ(written_wchar(wire(1), L'é'), "00e9");
  EXPECT_EQ(written_wchar(wire(1, ByteOrder::little), L'é'), "e900");
  EXPECT_EQ(written_wchar(wire(1), L'\U0001F600'), describe(errors::char_not_in_code_set));

  EXPECT_EQ(read_wchar(wire(2), "0200e9"), std::pair(L'é', Error{}));
  EXPECT_EQ(read_wchar(wire(2), "04feff00e9"), std::pair(L'é', Error{}));
  EXPECT_EQ(read_wchar(wire(2), "04fffee900"), std::pair(L'é', Error{}));
  EXPECT_EQ(read_wchar(wire(2), "04d83dde00"), std::pair(L'\U0001F600', Error{}));
  EXPECT_EQ(read_wchar(wire(2), "06fffe3dd800de"), std::pair(L'\U0001F600', Error{}));
  EXPECT_EQ(read_wchar(wire(2), "04fefffeff"), std::pair(L'\xFEFF', Error{}));
  EXPECT_EQ(read_wchar(wire(2), "02feff"), std::pair(L'\xFEFF', Error{}));
  EXPECT_EQ(read_wchar(wire(1), "00e9"), std::pair(L'é', Error{}));
  EXPECT_EQ(read_wchar(wire(1, ByteOrder::little), "e900"), std::pair(L'é', Error{}));

  for (const char* malformed :
       {"00", "0141", "0300410042", "0400410042", "0800410042004100420041", "04d83d0041"}) {
    const auto [value, error] = read_wchar(wire(2), malformed);
    EXPECT_EQ(value, L'\0');
    EXPECT_EQ(error.id, SystemException::marshal) << malformed;
  }
  EXPECT_EQ(read_wchar(wire(2), "02d83d").second, errors::char_not_in_code_set);
  EXPECT_EQ(read_wchar(wire(1), "d83d").second, errors::char_not_in_code_set);
  EXPECT_EQ(read_wchar(wire(2), "0200").second, errors::out_of_data);
}

TEST(String, SameCodeSetIsCopiedAsItIs) {
  EXPECT_EQ(written_string(wire(2), ""), "0000000100");
  EXPECT_EQ(written_string(wire(2), "hé"), "0000000468c3a900");
  EXPECT_EQ(written_string(chars(CodeSet::iso8859_1, CodeSet::iso8859_1), "h\xE9"), "0000000368e900");
  EXPECT_EQ(written_string(wire(2), std::string_view("a\0b", 3)), describe(errors::nul_in_argument));
  EXPECT_EQ(read_string(wire(2), bytes("0000000468c3a900")), std::pair(std::string("hé"), Error{}));
}

TEST(String, IsConvertedBetweenCodeSets) {
  const WireFormat to_latin1 = chars(CodeSet::utf8, CodeSet::iso8859_1);
  const WireFormat to_utf8 = chars(CodeSet::iso8859_1, CodeSet::utf8);
  EXPECT_EQ(written_string(to_latin1, "hé"), "0000000368e900");
  EXPECT_EQ(written_string(to_latin1, "ascii"), "00000006617363696900");
  EXPECT_EQ(written_string(to_latin1, "\u20AC"), describe(errors::char_not_in_code_set));
  EXPECT_EQ(written_string(to_latin1, "\xE9"), describe(errors::malformed_chars));
  EXPECT_EQ(written_string(to_utf8, "h\xE9"), "0000000468c3a900");
  EXPECT_EQ(written_string(to_utf8, "\x80\xFF"), "00000005c280c3bf00");

  EXPECT_EQ(read_string(to_latin1, bytes("0000000368e900")), std::pair(std::string("hé"), Error{}));
  EXPECT_EQ(read_string(to_utf8, bytes("0000000468c3a900")), std::pair(std::string("h\xE9"), Error{}));
  EXPECT_EQ(read_string(to_utf8, bytes("00000004e282ac00")).second, errors::char_not_in_native_set);
  EXPECT_EQ(read_string(to_utf8, bytes("00000002c300")).second, errors::malformed_chars);
  // The protocol's own strings are never converted.
  const Bytes raw = bytes("0000000368e900");
  Reader reader(raw, to_latin1);
  EXPECT_EQ(reader.get_raw_string(), "h\xE9");
}

TEST(String, Malformed) {
  const WireFormat format = wire(2);
  EXPECT_EQ(read_string(format, bytes("00000000")), std::pair(std::string(), Error{}));  // old ORBs
  EXPECT_EQ(read_string(format, bytes("0000000161")).second, errors::string_without_nul);
  EXPECT_EQ(read_string(format, bytes("0000000261")).second, errors::length_beyond_data);
  EXPECT_EQ(read_string(format, bytes("0000000361620a")).second, errors::string_without_nul);
  EXPECT_EQ(read_string(format, bytes("00000003610000")).second, errors::nul_in_string);
  EXPECT_EQ(read_string(format, bytes("ffffffff61")).second, errors::length_beyond_data);
  EXPECT_EQ(read_string(format, bytes("000000")).second, errors::out_of_data);
}

TEST(String, Bounds) {
  const Bytes four = bytes("000000056162636400");
  EXPECT_EQ(read_string(wire(2), four, 4).first, "abcd");
  EXPECT_EQ(read_string(wire(2), four, 3), std::pair(std::string(), errors::length_above_bound));
  // Two characters: two octets here, four there.
  const WireFormat to_utf8 = chars(CodeSet::iso8859_1, CodeSet::utf8);
  EXPECT_EQ(read_string(to_utf8, bytes("00000005c3a9c3a900"), 2).first, "\xE9\xE9");
  EXPECT_EQ(read_string(to_utf8, bytes("00000005c3a9c3a900"), 1).second, errors::length_above_bound);
}

TEST(String, LargeOnesAreLentUnlessConverted) {
  const std::string large(10'000, 'x');
  Writer writer(wire(2));
  writer.allow_lending(true);
  writer.put_string(large);
  EXPECT_FALSE(writer.contiguous());
  NaiveWriter naive(ByteOrder::big, 0);
  naive.string(large);
  EXPECT_EQ(writer.copy(), naive.bytes);

  std::string accented = large + "é";
  Writer converting(chars(CodeSet::utf8, CodeSet::iso8859_1));
  converting.allow_lending(true);
  converting.put_string(accented);
  EXPECT_TRUE(converting.contiguous());
  EXPECT_EQ(converting.size(), 4 + 10'001 + 1u);
  converting.put_raw_string(large);
  EXPECT_TRUE(converting.contiguous());
}

TEST(Char, AloneAboveAscii) {
  const struct {
    CodeSet native, transmission;
    bool allowed;
  } cases[] = {
      {CodeSet::iso8859_1, CodeSet::iso8859_1, true},
      {CodeSet::utf8, CodeSet::utf8, false},
      {CodeSet::utf8, CodeSet::iso8859_1, false},
      {CodeSet::iso8859_1, CodeSet::utf8, false},
  };
  for (const auto& c : cases) {
    Writer writer(chars(c.native, c.transmission));
    writer.put('\x7f');
    EXPECT_TRUE(writer.good());
    writer.put('\x80');
    EXPECT_EQ(writer.error(), c.allowed ? Error{} : errors::char_not_in_code_set);
    const std::uint8_t octets[] = {0x7f, 0x80};
    Reader reader(octets, chars(c.native, c.transmission));
    EXPECT_EQ(reader.get<char>(), '\x7f');
    EXPECT_EQ(reader.get<char>(), c.allowed ? '\x80' : '\0');
    const bool has_it = c.transmission == CodeSet::iso8859_1;
    const Error refused = has_it ? errors::char_not_in_native_set : errors::char_not_in_code_set;
    EXPECT_EQ(reader.error(), c.allowed ? Error{} : refused) << "the code set that lacks it";
  }
}

// Every length and every place of a NUL, into a string that is empty, one that holds as much already, and one that holds more.
TEST(Text, AllLengthsWithAndWithoutNul) {
  for (std::size_t size = 0; size <= 200; ++size) {
    std::string text;
    for (std::size_t i = 0; i < size; ++i) text += static_cast<char>('a' + i % 26);
    Writer writer;
    writer.put(std::uint8_t{7});
    writer.put_string(text);
    ASSERT_TRUE(writer.good());
    const Bytes message = writer.copy();
    ASSERT_EQ(message.size(), 8 + size + 1);
    for (const std::size_t before : {std::size_t{0}, size, std::size_t{200}}) {
      std::string into(before, 'x');
      Reader reader(message, {});
      reader.skip(1);
      reader.get_string(into);
      EXPECT_TRUE(reader.good());
      EXPECT_EQ(into, text) << size;
      EXPECT_EQ(reader.remaining(), 0u);
    }
    for (std::size_t nul = 0; nul < size; ++nul) {
      std::string bad = text;
      bad[nul] = 0;
      Writer refusing;
      refusing.put_string(bad);
      EXPECT_EQ(refusing.error(), errors::nul_in_argument) << size << ' ' << nul;
      Bytes wrong = message;
      wrong[8 + nul] = 0;
      for (const std::size_t before : {std::size_t{0}, size}) {
        std::string into(before, 'x');
        Reader reader(wrong, {});
        reader.skip(1);
        reader.get_string(into);
        EXPECT_EQ(reader.error(), errors::nul_in_string) << size << ' ' << nul;
        EXPECT_TRUE(into.empty());
      }
    }
  }
}

}  // namespace
}  // namespace tenon::cdr
