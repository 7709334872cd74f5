// SPDX-License-Identifier: Apache-2.0
//
// Programs as tenon-idl emits them, over C++ types, against bytes written part by part.
#include "marshal/program.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/minor_codes.hpp"

namespace tenon::marshal {
namespace {

struct Bin {
  std::int16_t s = 0;
  char c = 0;
  std::uint8_t pad1[1]{};
  std::int32_t l = 0;
  std::uint8_t o = 0;
  std::uint8_t pad2[7]{};
  double d = 0;
  bool operator==(const Bin&) const = default;
};
struct Note {
  std::string title;
  std::vector<Bin> bins;
  std::vector<std::string> tags;
  std::vector<Note> notes;
  bool operator==(const Note&) const = default;
};

#define BIN_WORDS                                                                                            \
  head_of<Bin>(type_zero), at(Op::block), fields::bytes(24), parts(5, 8, block_characters | block_repeats),  \
      mask("..c_"), mask("...."), mask(".___"), mask("____"), mask("...."), mask("...."),                    \
      at(Op::copy2, offsetof(Bin, s)), at(Op::character, offsetof(Bin, c)), at(Op::copy4, offsetof(Bin, l)), \
      at(Op::copy1, offsetof(Bin, o)), at(Op::copy8, offsetof(Bin, d)), at(Op::end)

using namespace fields;

constexpr Word note_words[] = {
    // 0: Bin
    BIN_WORDS,
    // 16: Note
    head_of<Note>(), at(Op::string, offsetof(Note, title)), at(Op::sequence, offsetof(Note, bins)), bound(0),
    smallest(17), type(0), at(Op::strings, offsetof(Note, tags)), bound(0),
    at(Op::sequence, offsetof(Note, notes)), bound(0), smallest(16), type(16), at(Op::end)};
constexpr Unit unit{note_words, nullptr};
constexpr TypeIndex note_at = 16;

Bin bin(int n) {
  Bin made;
  made.s = static_cast<std::int16_t>(n);
  made.c = static_cast<char>('a' + n % 26);
  made.l = n * 1000;
  made.o = static_cast<std::uint8_t>(200 + n);
  made.d = n / 4.0;
  return made;
}

void put_naive(cdr::Writer& out, const Bin& value) {
  out.put(value.s);
  out.put(value.c);
  out.put(value.l);
  out.put(value.o);
  out.put(value.d);
}
void put_naive(cdr::Writer& out, const Note& value) {
  out.put_string(value.title);
  out.put_length(value.bins.size());
  for (const Bin& one : value.bins) put_naive(out, one);
  out.put_length(value.tags.size());
  for (const std::string& tag : value.tags) out.put_string(tag);
  out.put_length(value.notes.size());
  for (const Note& note : value.notes) put_naive(out, note);
}

Note note(int bins, int depth) {
  Note made;
  made.title = std::string(static_cast<std::size_t>(bins), 't');
  for (int i = 0; i < bins; ++i) made.bins.push_back(bin(i));
  made.tags = {"one", std::string(40, 'x'), ""};
  if (depth > 0) made.notes = {note(bins / 2, depth - 1), note(1, 0)};
  return made;
}

std::vector<cdr::WireFormat> formats() {
  cdr::WireFormat swapped;
  swapped.order = native_order == ByteOrder::little ? ByteOrder::big : ByteOrder::little;
  cdr::WireFormat latin;
  latin.chars = latin.native.chars = cdr::CodeSet::iso8859_1;
  cdr::WireFormat mixed;
  mixed.native.chars = cdr::CodeSet::iso8859_1;
  return {{}, swapped, latin, mixed};
}

TEST(Program, WritesAndReadsWhatCodeWrittenByHandDoes) {
  for (const cdr::WireFormat& format : formats()) {
    for (std::size_t phase = 0; phase < 8; ++phase) {
      for (int bins = 0; bins < 40; bins += 1 + bins / 3) {
        const Note value = note(bins, 3);
        cdr::Writer expected(format, phase);
        put_naive(expected, value);
        cdr::Writer written(format, phase);
        encode(unit, note_at, written, &value);
        ASSERT_TRUE(written.good());
        ASSERT_EQ(written.copy(), expected.copy()) << phase << ' ' << bins;

        const std::vector<std::uint8_t> bytes = written.copy();
        cdr::Reader in(bytes, format, phase);
        Note read = note(5, 1);  // what it held goes away
        decode(unit, note_at, in, &read);
        EXPECT_TRUE(in.good());
        EXPECT_EQ(in.remaining(), 0u);
        EXPECT_EQ(read, value);
        EXPECT_TRUE(equal(unit, note_at, &read, &value));

        cdr::Reader skipped(bytes, format, phase);
        skip(unit, note_at, skipped);
        EXPECT_TRUE(skipped.good());
        EXPECT_EQ(skipped.remaining(), 0u);
      }
    }
  }
}

// Cut anywhere, a message is an error, and the value can be freed and used again.
TEST(Program, ShortBytesAreMarshal) {
  const Note value = note(9, 2);
  cdr::Writer written;
  encode(unit, note_at, written, &value);
  const std::vector<std::uint8_t> bytes = written.copy();
  for (std::size_t cut = 0; cut < bytes.size(); ++cut) {
    cdr::Reader in(ByteView(bytes).first(cut), {});
    Note read;
    decode(unit, note_at, in, &read);
    EXPECT_FALSE(in.good()) << cut;
    cdr::Reader whole(bytes, {});
    decode(unit, note_at, whole, &read);
    EXPECT_TRUE(whole.good());
    EXPECT_EQ(read, value);
  }
}

TEST(Program, PaddingOfAPeerDoesNotReachTheValue) {
  cdr::Writer written({}, 4);  // so that the first element begins at a multiple of 8
  const std::vector<Bin> bins{bin(1), bin(2), bin(3), bin(4), bin(5)};
  written.put_length(bins.size());
  for (const Bin& one : bins) put_naive(written, one);
  std::vector<std::uint8_t> bytes = written.copy();
  for (std::size_t i = 0; i < bins.size(); ++i) {
    for (const std::size_t place : {3u, 9u, 10u, 11u, 12u, 13u, 14u, 15u}) bytes[4 + i * 24 + place] = 0xEE;
  }
  static constexpr Word bins_words[] = {
      head_of<std::vector<Bin>>(type_zero), at(Op::sequence), 0, 17, 6, at(Op::end), BIN_WORDS};
  cdr::Reader in(bytes, {}, 4);
  std::vector<Bin> read;
  decode({bins_words, nullptr}, 0, in, &read);
  ASSERT_TRUE(in.good());
  EXPECT_EQ(read, bins);
  for (const Bin& one : read) {
    for (const std::uint8_t octet : one.pad1) EXPECT_EQ(octet, 0);
    for (const std::uint8_t octet : one.pad2) EXPECT_EQ(octet, 0);
  }
}

TEST(Program, CopiesAreOfTheirOwn) {
  const Note value = note(7, 2);
  alignas(Note) std::byte memory[sizeof(Note)];
  copy(unit, note_at, memory, &value);
  EXPECT_EQ(*reinterpret_cast<const Note*>(memory), value);
  EXPECT_TRUE(equal(unit, note_at, memory, &value));
  reinterpret_cast<Note*>(memory)->notes[0].tags[0] = "other";
  EXPECT_FALSE(equal(unit, note_at, memory, &value));
  destroy(unit, note_at, memory);
}

TEST(Program, PrintsBits) {
  Note value;
  value.title = "a \"b\"";
  value.bins = {bin(1)};
  value.tags = {"x"};
  std::string text;
  print(unit, note_at, text, &value);
  EXPECT_EQ(text, "\"a \\x22b\\x22\", [{0x0001, 'b', 0x000003e8, 0xc9, 0x3fd0000000000000}], [\"x\"], []");
}

// A few octets whose length states a million elements.
TEST(Program, ClaimsAreNotBelieved) {
  cdr::Writer written;
  written.put_string("t");
  written.put_length(0);
  written.put_length(0);
  written.put_length(0x40000000);
  const std::vector<std::uint8_t> bytes = written.copy();
  cdr::Reader in(bytes, {});
  Note read;
  decode(unit, note_at, in, &read);
  EXPECT_FALSE(in.good());
  EXPECT_EQ(read.notes.capacity(), 0u);
}

// Of a type that is large in memory and small in the message there may be more than a word of 32 bits can count octets of. Where words
// have 64 bits this would be memory of 4 GiB.
#if __SIZEOF_SIZE_T__ == 4
TEST(Program, ElementsBeyondAllAddressesAreNoMemory) {
  struct Large {
    std::uint8_t octet;
    std::uint8_t rest[65535];
  };
  static constexpr Word words[] = {head_of<Large>(type_zero),
                                   at(Op::copy1, 0),
                                   at(Op::end),
                                   head_of<std::vector<Large>>(),
                                   at(Op::sequence, 0),
                                   bound(0),
                                   smallest(1),
                                   type(0),
                                   at(Op::end)};
  static constexpr Unit larges{words, nullptr};
  for (const std::size_t count : {0x10000, 0x10001}) {  // times the size: 0, and the size
    cdr::Writer written;
    written.put_length(count);
    for (std::size_t i = 0; i < count; ++i) written.put(std::uint8_t{1});
    const std::vector<std::uint8_t> bytes = written.copy();
    cdr::Reader in(bytes, {});
    std::vector<Large> read;
    decode(larges, 3, in, &read);
    EXPECT_EQ(in.error(), errors::out_of_memory);
    EXPECT_TRUE(read.empty());
  }
}
#endif

}  // namespace
}  // namespace tenon::marshal
