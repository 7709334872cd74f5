// SPDX-License-Identifier: Apache-2.0
#include "cdr/block.hpp"

#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "base/minor_codes.hpp"
#include "cdr/reader.hpp"
#include "cdr/writer.hpp"

namespace tenon::cdr {
namespace {

using Bytes = std::vector<std::uint8_t>;

/// Some blocks side by side, and the expected result.
struct Case {
  Bytes masks;
  Bytes from;
  Block block{};
  std::size_t count;

  Case(std::mt19937& random, std::size_t size, std::size_t bytes, std::size_t number) : count(number) {
    constexpr ByteMask kinds[] = {padding_octet, char_octet, boolean_octet, any_octet};
    for (std::size_t i = 0; i < bytes; ++i) masks.push_back(kinds[random() % 4]);
    masks.resize((bytes + 7) / 8 * 8);
    block = {.size = size, .bytes = bytes, .align = 1, .has_chars = true, .masks = masks.data()};
    for (std::size_t i = 0; i < block.bytes_of(count); ++i) {
      auto octet = static_cast<std::uint8_t>(random());
      if (mask(i) != padding_octet) octet &= static_cast<std::uint8_t>(~mask(i));
      from.push_back(octet);
    }
  }
  std::uint8_t mask(std::size_t i) const {
    const std::size_t at = i % block.size;
    return at < block.bytes ? masks[at] : std::uint8_t{padding_octet};
  }
  std::uint8_t wanted(std::size_t i) const { return mask(i) == padding_octet ? std::uint8_t{0} : from[i]; }
};

// Every size of block and of run, against the definition, with a forbidden bit at any place.
TEST(Blocks, AreWhatTheMasksSay) {
  std::mt19937 random(7);
  for (std::size_t size = 1; size <= 80; ++size) {
    for (const std::size_t count : {std::size_t{1}, std::size_t{2}, std::size_t{7}, std::size_t{65}}) {
      Case one(random, size, size - random() % std::min<std::size_t>(size, 8), count);
      const std::size_t bytes = one.from.size();
      Bytes to(bytes + 1, 0xAA);
      EXPECT_TRUE(copy_blocks(one.block, to.data(), one.from.data(), count, false));
      EXPECT_TRUE(check_blocks(one.block, one.from.data(), count, false));
      for (std::size_t i = 0; i < bytes; ++i) ASSERT_EQ(to[i], one.wanted(i)) << size << ' ' << i;
      EXPECT_EQ(to[bytes], 0xAA);
      const std::size_t at = random() % bytes;
      if (one.mask(at) == any_octet || one.mask(at) == padding_octet) continue;
      one.from[at] |= 0x80;
      EXPECT_FALSE(copy_blocks(one.block, to.data(), one.from.data(), count, false)) << size << ' ' << at;
      EXPECT_FALSE(check_blocks(one.block, one.from.data(), count, false)) << size << ' ' << at;
      EXPECT_EQ(check_blocks(one.block, one.from.data(), count, true), one.mask(at) == char_octet);
    }
  }
}

// The addresses where both begin make no difference.
TEST(Blocks, StartAtAnyAddress) {
  std::mt19937 random(8);
  for (std::size_t start = 0; start < 64; ++start) {
    const std::size_t size = 1 + start * 3 % 29;
    Case one(random, size, size, 40);
    const std::size_t bytes = one.from.size();
    Bytes from(start, 0xFF);
    from.insert(from.end(), one.from.begin(), one.from.end());
    Bytes to(bytes + 66, 0xAA);
    std::uint8_t* const into = to.data() + (64 - start);
    EXPECT_TRUE(copy_blocks(one.block, into, from.data() + start, 40, false)) << start;
    EXPECT_TRUE(check_blocks(one.block, from.data() + start, 40, false)) << start;
    for (std::size_t i = 0; i < bytes; ++i) ASSERT_EQ(into[i], one.wanted(i)) << start << ' ' << i;
    EXPECT_EQ(into[-1], 0xAA);
    EXPECT_EQ(into[bytes], 0xAA);
    for (std::size_t i = 0; i < bytes; ++i) {
      if (one.mask(i) == any_octet || one.mask(i) == padding_octet) continue;
      from[start + i] ^= 0x80;
      EXPECT_FALSE(copy_blocks(one.block, into, from.data() + start, 40, false)) << start << ' ' << i;
      EXPECT_FALSE(check_blocks(one.block, from.data() + start, 40, false)) << start << ' ' << i;
      from[start + i] ^= 0x80;
    }
  }
}

struct Sample {
  std::uint32_t colour;
  char letter;
  bool flag;
  std::uint8_t pad[2];
};
constexpr Masks<6> sample_masks("....cb");
constexpr EnumerationAt colours[] = {{0, 3}};
constexpr Block sample_block{.size = 8,
                             .bytes = 6,
                             .align = 4,
                             .has_chars = true,
                             .masks = sample_masks.bytes,
                             .enumerations = colours};

constexpr WireFormat latin{.chars = CodeSet::iso8859_1, .native = {.chars = CodeSet::iso8859_1}};

Error error_of(Bytes octets, const WireFormat& format = {}) {
  Reader in(octets, format);
  Sample values[3] = {{7, 'x', true, {1, 1}}, {7, 'x', true, {1, 1}}, {7, 'x', true, {1, 1}}};
  get_blocks(in, sample_block, values, 3);
  Bytes memory(sizeof values);
  std::memcpy(memory.data(), values, sizeof values);
  if (!in.good()) {
    EXPECT_EQ(memory, Bytes(sizeof values));
    return in.error();
  }
  for (std::size_t i = 0; i < octets.size(); ++i) EXPECT_EQ(memory[i], i % 8 < 6 ? octets[i] : 0) << i;
  EXPECT_EQ(memory[22], 0);
  EXPECT_EQ(memory[23], 0);
  return {};
}

TEST(Blocks, AreReadAndWritten) {
  const std::uint8_t one = native_order == ByteOrder::little ? 2 : 0;
  const std::uint8_t four = native_order == ByteOrder::little ? 0 : 2;
  const Bytes good{one, 0, 0, four, 'a', 1, 9, 9, 0, 0, 0, 0, 'b', 0, 9, 9, one, 0, 0, four, 'c', 1};
  EXPECT_EQ(error_of(good), Error{});
  const auto with = [&](std::size_t at, std::uint8_t octet) {
    Bytes octets = good;
    octets[at] = octet;
    return octets;
  };
  EXPECT_EQ(error_of(with(12, 0xE4)), errors::char_not_in_code_set);
  EXPECT_EQ(error_of(with(12, 0xE4), latin), Error{});
  EXPECT_EQ(error_of(with(13, 2)), errors::bad_boolean);
  EXPECT_EQ(error_of(with(9, 1)), errors::value_out_of_range);
  EXPECT_EQ(error_of(Bytes(good.begin(), good.end() - 1)), errors::out_of_data);

  Sample values[2] = {{1, 'a', true, {0, 0}}, {2, 'b', false, {0, 0}}};
  Writer out;
  put_blocks(out, sample_block, values, 2);
  ASSERT_TRUE(out.good());
  const Bytes written = out.copy();
  ASSERT_EQ(written.size(), 14u);
  EXPECT_EQ(std::memcmp(written.data(), values, 14), 0);
  values[1].letter = '\xE4';
  put_blocks(out, sample_block, values, 2);
  EXPECT_EQ(out.error(), errors::char_not_in_code_set);
  Writer plain(latin);
  put_blocks(plain, sample_block, values, 2);
  EXPECT_TRUE(plain.good());
}

}  // namespace
}  // namespace tenon::cdr
