// SPDX-License-Identifier: Apache-2.0
//
// Values for which there is no memory: each of them ends in NO_MEMORY, and so does what is read and written on the way to them.
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "base/minor_codes.hpp"
#include "base/no_memory_test_support.hpp"
#include "cdr/char_sets.hpp"
#include "cdr/code_sets.hpp"
#include "cdr/reader.hpp"
#include "cdr/value_memory.hpp"
#include "cdr/writer.hpp"

namespace tenon::cdr {
namespace {

TEST(ValueMemory, MakesRoom) {
  std::string text = "short";
  EXPECT_TRUE(assign(text, "a text that does not fit into the string itself"));
  EXPECT_EQ(text, "a text that does not fit into the string itself");
  EXPECT_TRUE(append(text, ", and more"));
  EXPECT_TRUE(assign(text, "less"));
  EXPECT_EQ(text, "less");
  EXPECT_TRUE(make_room(text, 100));
  EXPECT_EQ(text, std::string(100, '\0'));
  std::wstring wide = L"wide";
  EXPECT_TRUE(make_room(wide, 2));
  EXPECT_TRUE(make_room(wide, 50));
  EXPECT_EQ(wide, std::wstring(50, L'\0'));
  std::vector<bool> flags(3, true);
  EXPECT_TRUE(make_room(flags, 200));
  EXPECT_EQ(flags, std::vector<bool>(200));
  std::vector<std::uint8_t> octets;
  EXPECT_TRUE(assign(octets, ByteView()));
  EXPECT_TRUE(octets.empty());
  const std::uint8_t some[] = {1, 2, 3};
  EXPECT_TRUE(assign(octets, some));
  EXPECT_EQ(octets, (std::vector<std::uint8_t>{1, 2, 3}));
  EXPECT_TRUE(assign(octets, ByteView(octets).subspan(1)));
  EXPECT_EQ(octets, (std::vector<std::uint8_t>{2, 3}));
  EXPECT_TRUE(assign(octets, ByteView()));
  EXPECT_TRUE(octets.empty());
}

TEST(ValueMemory, AppendsElements) {
  std::vector<std::uint64_t> numbers;
  std::vector<std::uint64_t> expected;
  for (std::uint64_t i = 0; i < 1000; ++i) {
    ASSERT_TRUE(append(numbers, i));
    expected.push_back(i);
  }
  EXPECT_EQ(numbers, expected);
}

TEST(ValueMemory, AddsElementsForWhichThereIsRoom) {
  std::vector<std::string> texts;
  ASSERT_TRUE(reserve(texts, 3));
  EXPECT_TRUE(texts.empty());
  EXPECT_EQ(texts.capacity(), 3U);
  for (int i = 0; i < 3; ++i) emplace(texts) = std::string(40, static_cast<char>('a' + i));
  EXPECT_EQ(texts,
            (std::vector<std::string>{std::string(40, 'a'), std::string(40, 'b'), std::string(40, 'c')}));
  texts.push_back("one more");
  EXPECT_EQ(texts.size(), 4U);
  std::vector<std::string> none;
  EXPECT_TRUE(reserve(none, 0));
  EXPECT_FALSE(reserve(none, static_cast<std::size_t>(-1) / 8));
}

#ifndef TENON_OWN_HEAP  // that of a sanitizer ends the process
TEST(ValueMemory, RefusesMoreThanThereCanBe) {
  // Half of all addresses, of which no allocation is larger.
  constexpr std::size_t most = static_cast<std::size_t>(-1) / 2 + 1;
  std::string text = "stays";
  std::wstring wide = L"stays";
  std::vector<bool> flags(3, true);
  std::vector<std::uint8_t> octets{1, 2};
  EXPECT_FALSE(make_room(text, most));
  EXPECT_FALSE(make_room(wide, most / sizeof(wchar_t)));
  EXPECT_FALSE(make_room(wide, most / sizeof(wchar_t) * 2));
  // Where words have 32 bits, there is memory for as many flags as one can count.
  if (sizeof(std::size_t) > 4) {
    EXPECT_FALSE(make_room(flags, most));
  }
  EXPECT_EQ(make_room(octets, most), nullptr);
  EXPECT_EQ(text, "stays");
  EXPECT_EQ(wide, L"stays");
  EXPECT_EQ(flags.size(), 3U);
  EXPECT_EQ(octets.size(), 2U);
}
#endif

TEST(ValueMemory, PassesOverCodeSetsBeyondTheFirst512) {
  Writer out;
  out.put(static_cast<std::uint32_t>(CodeSet::utf8));
  out.put(std::uint32_t{1000});
  for (std::uint32_t i = 0; i < 1000; ++i) out.put(i);
  out.put(static_cast<std::uint32_t>(CodeSet::utf16));
  out.put(std::uint32_t{0});
  Reader in(out.bytes(), {});
  const auto read = get_code_set_component(in);
  ASSERT_TRUE(read);
  EXPECT_EQ(read->char_data.conversion.size(), most_code_sets);
  EXPECT_EQ(read->char_data.conversion.back(), CodeSet{511});
  EXPECT_EQ(read->wchar_data.native, CodeSet::utf16);
}

TEST(ValueMemory, WriterFindsValuesAmongMany) {
  constexpr std::size_t count = 5000;
  Writer out;
  std::vector<std::string> ids;
  for (std::size_t i = 0; i < count; ++i) ids.push_back("IDL:Value" + std::to_string(i % 700) + ":1.0");
  std::vector<std::size_t> positions;
  for (const std::string& id : ids) {
    const std::string_view one = id;
    positions.push_back(out.begin_value(&id, {&one, 1}, false));
    out.end_value();
  }
  for (std::size_t i = 0; i < count; ++i) {
    ASSERT_TRUE(out.put_shared_value(&ids[i]));
    const auto offset = load<std::int32_t>(out.bytes().data() + out.size() - 4, false);
    EXPECT_EQ(out.size() - 4 - static_cast<std::size_t>(-offset), positions[i]);
  }
  EXPECT_FALSE(out.put_shared_value(&out));
  ASSERT_TRUE(out.good());
  Reader in(out.bytes(), {});
  for (std::size_t i = 0; i < count; ++i) {
    const ValueHeader head = in.begin_value();
    ASSERT_EQ(head.id, ids[i]);
    in.end_value(head, false);
  }
}

#ifndef TENON_OWN_HEAP

constexpr std::size_t much = std::size_t{64} << 20;

std::vector<std::uint8_t> sequence_of(std::uint8_t octet) {
  std::vector<std::uint8_t> message(much + 8, octet);
  store(message.data(), static_cast<std::uint32_t>(much), false);
  return message;
}

bool ran_out(const Reader& in) { return in.error() == errors::out_of_memory; }

int reading() {
  std::vector<std::uint8_t> message = sequence_of(1);
  use_char_sets();
  constexpr CodeSet by_library{0x0001000F};
  std::string converted;  // which opens the converter
  if (!convert_chars(by_library, CodeSet::utf8, "\xE9", converted)) return 10;
  test::end_memory();
  {
    Reader in(message, {});
    std::vector<std::uint8_t> octets{1};
    in.get_vector(octets, in.get_length(1));
    if (!ran_out(in) || !octets.empty()) return 1;
  }
  {
    Reader in(message, {});
    std::vector<double> numbers;
    in.get_vector(numbers, in.get_length(1) / 8);
    if (!ran_out(in)) return 2;
  }
  {
    Reader in(message, {});
    std::vector<bool> flags;
    in.get_booleans(flags, in.get_length(1));
    if (!ran_out(in)) return 3;
  }
  {
    Reader in(message, {});
    std::wstring wide;
    in.get_wstring(wide);
    if (!ran_out(in)) return 4;
  }
  WireFormat format;
  format.wchars = CodeSet::ucs4;
  {
    Reader in(message, format);
    std::wstring wide;
    in.get_wstring(wide);
    if (!ran_out(in)) return 5;
  }
  format = {.giop_minor = 1, .order = native_order, .native = {}};
  {
    store(message.data(), static_cast<std::uint32_t>(much / 2), false);
    Reader in(message, format);
    std::wstring wide;
    in.get_wstring(wide);
    if (!ran_out(in)) return 6;
    store(message.data(), static_cast<std::uint32_t>(much), false);
  }
  message[much + 3] = 0;
  for (const CodeSet set : {CodeSet::utf8, CodeSet::iso8859_1}) {
    Reader in(message, {.chars = set, .native = {}});
    std::string text = "old";
    in.get_string(text);
    if (!ran_out(in) || !text.empty()) return 7;
  }
  // Not ASCII: converted by our own code, and by the library's.
  message[1000] = 0xE9;
  for (const CodeSet set : {CodeSet::iso8859_1, by_library}) {
    std::string text;
    if (convert_chars(set, CodeSet::utf8, {reinterpret_cast<const char*>(message.data() + 4), much - 1}, text)
            .error() != errors::out_of_memory)
      return 8;
  }
  Reader in(message, {});
  return in.get<std::uint32_t>() == much ? 0 : 9;
}

int reading_many_values() {
  std::vector<std::uint8_t> message(much);
  for (std::size_t at = 0; at < much; at += 4) store(message.data() + at, value_tag::base, false);
  test::end_memory();
  Reader in(message, {});
  while (in.good()) in.end_value(in.begin_value(), false);
  return ran_out(in) ? 0 : 1;
}

int writing() {
  std::vector<std::uint8_t> octets(much);
  std::vector<std::uint8_t> place(much);
  Buffer buffer = Buffer::acquire(much);
  test::end_memory();
  {
    Writer out;
    out.put_octet_sequence(octets);
    if (out.error() != errors::out_of_memory) return 1;
  }
  Writer out;
  out.adopt(std::move(buffer));
  out.reset({});
  out.allow_lending(true);
  // Values, until there is no memory to remember one.
  for (std::size_t i = 0; i < much / 8 && out.good(); ++i) {
    out.begin_value(place.data() + i, {}, false);
    out.end_value();
  }
  if (out.error() != errors::out_of_memory) return 2;
  // Lent blocks, until there is no memory to remember one.
  out.reset({});
  for (std::size_t i = 0; i < much / 8 && out.good(); ++i) out.put_octet_sequence({octets.data(), 4096});
  return out.error() == errors::out_of_memory ? 0 : 3;
}

TEST(ValueMemory, ReadingAValueForWhichThereIsNoneIsNoMemory) { test::expect_0_of(reading); }
TEST(ValueMemory, ReadingMoreValuesThanCanBeRememberedIsNoMemory) { test::expect_0_of(reading_many_values); }
TEST(ValueMemory, WritingMoreThanCanBeRememberedIsNoMemory) { test::expect_0_of(writing); }

#endif

}  // namespace
}  // namespace tenon::cdr
