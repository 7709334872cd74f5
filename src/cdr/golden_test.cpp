// SPDX-License-Identifier: Apache-2.0
//
// The annotated bytes of tests/wire/cdr_values.hex, written by hand: the reader finds the values in them, the
// writer makes them.
#include <gtest/gtest.h>

#include "base/fixed.hpp"
#include "base/hex.hpp"
#include "cdr/reader.hpp"
#include "cdr/writer.hpp"
#include "tests/wire/hex_sections.hpp"

namespace tenon::cdr {
namespace {

class Golden : public testing::Test {
 protected:
  const std::vector<std::uint8_t>& section(const std::string& name) {
    static wire::HexSections sections = wire::read_hex_sections("../../tests/wire/cdr_values.hex");
    EXPECT_FALSE(sections[name].empty()) << name;
    return sections[name];
  }
  void expect_written(const Writer& writer, const std::string& name) {
    EXPECT_TRUE(writer.good());
    EXPECT_EQ(hex_dump(writer.bytes()), hex_dump(section(name))) << name;
  }
  static void expect_end(const Reader& reader) {
    EXPECT_TRUE(reader.good());
    EXPECT_EQ(reader.remaining(), 0u);
  }
};

Fixed fixed(std::string_view text) { return *Fixed::parse(text); }

TEST_F(Golden, Primitives) {
  for (const ByteOrder order : {ByteOrder::big, ByteOrder::little}) {
    const std::string name = order == ByteOrder::big ? "primitives_big" : "primitives_little";
    Writer writer({.order = order});
    writer.put('a');
    writer.put(true);
    writer.put(std::int16_t{-2});
    writer.put(std::uint32_t{0x12345678});
    writer.put(std::uint8_t{0xfe});
    writer.put(std::int64_t{5});
    writer.put(1.0F);
    writer.put(-2.5);
    writer.put_long_double(-2.5L);
    expect_written(writer, name);

    Reader reader(section(name), {.order = order});
    EXPECT_EQ(reader.get<char>(), 'a');
    EXPECT_TRUE(reader.get<bool>());
    EXPECT_EQ(reader.get<std::int16_t>(), -2);
    EXPECT_EQ(reader.get<std::uint32_t>(), 0x12345678u);
    EXPECT_EQ(reader.get<std::uint8_t>(), 0xfe);
    EXPECT_EQ(reader.get<std::int64_t>(), 5);
    EXPECT_EQ(reader.get<float>(), 1.0F);
    EXPECT_EQ(reader.get<double>(), -2.5);
    EXPECT_EQ(reader.get_long_double(), -2.5L);
    expect_end(reader);
  }
}

TEST_F(Golden, Constructed) {
  const std::int16_t shorts[] = {1, -1, 32767};
  Writer writer({.order = ByteOrder::big});
  writer.put_string("hello");
  writer.put_length(3);
  writer.put_array(shorts, 3);
  writer.put(std::uint32_t{2});
  writer.put_length(1);
  writer.put(100.0);
  writer.put_string("");
  writer.put_fixed(fixed("-12.34"), 4, 2);
  writer.put_fixed(fixed("12.3"), 3, 1);
  expect_written(writer, "constructed_big");

  Reader reader(section("constructed_big"), {.order = ByteOrder::big});
  std::string text;
  reader.get_string(text);
  EXPECT_EQ(text, "hello");
  std::vector<std::int16_t> read;
  reader.get_vector(read, reader.get_length(2));
  EXPECT_EQ(read, std::vector<std::int16_t>(std::begin(shorts), std::end(shorts)));
  EXPECT_EQ(reader.get<std::uint32_t>(), 2u);
  std::vector<double> doubles;
  reader.get_vector(doubles, reader.get_length(8));
  EXPECT_EQ(doubles, std::vector<double>{100.0});
  reader.get_string(text);
  EXPECT_EQ(text, "");
  Fixed value;
  reader.get_fixed(value, 4, 2);
  EXPECT_EQ(value.to_string(), "-12.34");
  reader.get_fixed(value, 3, 1);
  EXPECT_EQ(value.to_string(), "12.3");
  expect_end(reader);
}

TEST_F(Golden, Phase) {
  Writer writer({.order = ByteOrder::big}, 4);
  writer.put_string("x");
  writer.put(100.0);
  expect_written(writer, "constructed_phase_4_big");
  Reader reader(section("constructed_phase_4_big"), {.order = ByteOrder::big}, 4);
  EXPECT_EQ(reader.get_raw_string(), "x");
  EXPECT_EQ(reader.get<double>(), 100.0);
  expect_end(reader);
}

TEST_F(Golden, AnEncapsulation) {
  Writer writer({.order = ByteOrder::big});
  writer.put(std::uint8_t{0xaa});
  Encapsulation capsule({.order = ByteOrder::little});
  capsule.content().put(std::uint32_t{0x1234});
  capsule.content().put_string("in");
  capsule.content().put(std::uint8_t{0});
  capsule.put_into(writer);
  writer.put(std::uint8_t{0xbb});
  expect_written(writer, "encapsulation_in_big");

  Reader reader(section("encapsulation_in_big"), {.order = ByteOrder::big});
  EXPECT_EQ(reader.get<std::uint8_t>(), 0xaa);
  Reader nested = Reader::encapsulation(reader.get_octet_sequence());
  EXPECT_EQ(nested.get<std::uint32_t>(), 0x1234u);
  EXPECT_EQ(nested.get_raw_string(), "in");
  EXPECT_EQ(nested.get<std::uint8_t>(), 0);
  expect_end(nested);
  EXPECT_EQ(reader.get<std::uint8_t>(), 0xbb);
  expect_end(reader);
}

TEST_F(Golden, WideText) {
  const struct {
    const char* name;
    std::uint8_t minor;
    const wchar_t* text;
  } cases[] = {{"wide_1_1_little", 1, L"A\u20AC"}, {"wide_1_2_little", 2, L"A\u20AC\U0001F600"}};
  for (const auto& c : cases) {
    const WireFormat format{.giop_minor = c.minor, .order = ByteOrder::little};
    Writer writer(format);
    writer.put_wchar(L'\u00E9');
    writer.put_wstring(c.text);
    expect_written(writer, c.name);
    Reader reader(section(c.name), format);
    EXPECT_EQ(reader.get_wchar(), L'\u00E9');
    std::wstring text;
    reader.get_wstring(text);
    EXPECT_EQ(text, c.text);
    expect_end(reader);
  }
  Reader marked(section("wide_1_2_marked_big"), {.order = ByteOrder::big});
  std::wstring text;
  marked.get_wstring(text);
  EXPECT_EQ(text, L"A\u20AC");
  expect_end(marked);
}

TEST_F(Golden, Fragments) {
  const Restart restarts[] = {{7, 4}, {15, 4}};
  Reader reader(section("fragmented_1_1_big"), {.giop_minor = 1, .order = ByteOrder::big}, 4, restarts);
  std::string text;
  reader.get_string(text);
  EXPECT_EQ(text, "abcd");
  EXPECT_EQ(reader.get<std::int32_t>(), 7);
  EXPECT_EQ(reader.get<double>(), 100.0);
  EXPECT_EQ(reader.get<std::uint8_t>(), 0xaa);
  expect_end(reader);
}

}  // namespace
}  // namespace tenon::cdr
