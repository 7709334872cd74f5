// SPDX-License-Identifier: Apache-2.0
//
// Arrays, vectors, blocks and booleans: the block paths against the naive writer, lent against copied,
// misaligned against aligned.
#include <gtest/gtest.h>

#include <limits>
#include <random>

#include "base/minor_codes.hpp"
#include "cdr/block.hpp"
#include "cdr/naive_cdr_test_support.hpp"
#include "cdr/reader.hpp"
#include "cdr/writer.hpp"

namespace tenon::cdr {
namespace {

constexpr std::size_t counts[] = {0,  1,  2,  3,  7,   8,   9,   15,  16,   17,  31,
                                  33, 63, 64, 65, 100, 511, 512, 513, 1025, 5000};

template <typename T>
std::vector<T> random_values(std::size_t count) {
  std::mt19937_64 random(count);
  std::vector<T> values(count);
  for (T& value : values) {
    if constexpr (std::is_same_v<T, char>) {
      value = static_cast<char>(random() & 0x7F);
    } else if constexpr (std::is_floating_point_v<T>) {
      value = static_cast<T>(random()) / T{3};
    } else {
      value = static_cast<T>(random());
    }
  }
  return values;
}

std::vector<std::uint8_t> gathered(const Writer& writer) {
  std::vector<Piece> pieces;
  EXPECT_TRUE(writer.gather(pieces));
  // The same pieces a few at a time.
  Piece few[3];
  Writer::Place at;
  std::size_t seen = 0;
  while (const std::size_t count = writer.gather(few, at)) {
    for (std::size_t i = 0; i < count; ++i, ++seen) {
      EXPECT_LT(seen, pieces.size());
      if (seen >= pieces.size()) break;
      EXPECT_EQ(few[i].data, pieces[seen].data) << seen;
      EXPECT_EQ(few[i].size, pieces[seen].size) << seen;
    }
  }
  EXPECT_EQ(seen, pieces.size());
  std::vector<std::uint8_t> all;
  for (const Piece& piece : pieces) all.insert(all.end(), piece.data, piece.data + piece.size);
  return all;
}

template <typename T>
class Bulk : public testing::Test {};
using Elements = testing::Types<char, signed char, unsigned char, short, unsigned short, int, unsigned, long,
                                unsigned long, long long, unsigned long long, float, double>;
TYPED_TEST_SUITE(Bulk, Elements);

TYPED_TEST(Bulk, ArraysAndVectors) {
  for (const ByteOrder order : orders) {
    for (std::size_t phase = 0; phase < 8; ++phase) {
      for (const std::size_t count : counts) {
        const std::vector<TypeParam> values = random_values<TypeParam>(count);
        NaiveWriter naive(order, phase);
        naive.octet(1);
        for (const TypeParam value : values) naive.put(value);
        naive.octet(2);
        for (const bool lending : {false, true}) {
          Writer writer(format_of(order), phase);
          writer.allow_lending(lending);
          writer.put(std::uint8_t{1});
          writer.put_array(values.data(), count);
          writer.put(std::uint8_t{2});
          ASSERT_EQ(writer.size(), naive.bytes.size());
          ASSERT_EQ(gathered(writer), naive.bytes) << count;
          ASSERT_EQ(writer.copy(), naive.bytes);
          const bool lent = lending && count * sizeof(TypeParam) >= Writer::borrow_from &&
                            (order == native_order || sizeof(TypeParam) == 1);
          ASSERT_EQ(writer.contiguous(), !lent);
        }
        for (const std::size_t offset : {0u, 1u}) {
          std::vector<std::uint8_t> shifted(offset);
          shifted.insert(shifted.end(), naive.bytes.begin(), naive.bytes.end());
          const ByteView message = ByteView(shifted).subspan(offset);

          Reader by_array(message, format_of(order), phase);
          by_array.get<std::uint8_t>();
          std::vector<TypeParam> read(count);
          by_array.get_array(read.data(), count);
          ASSERT_EQ(read, values);
          ASSERT_EQ(by_array.get<std::uint8_t>(), 2);

          for (const std::size_t old : {std::size_t{0}, count, count + 5}) {
            Reader by_vector(message, format_of(order), phase);
            by_vector.get<std::uint8_t>();
            std::vector<TypeParam> into(old, TypeParam{1});
            by_vector.get_vector(into, count);
            ASSERT_EQ(into, values) << count << " into " << old;
            ASSERT_EQ(by_vector.get<std::uint8_t>(), 2);
            ASSERT_EQ(by_vector.remaining(), 0u);
          }
        }
      }
    }
  }
}

TYPED_TEST(Bulk, ShortDataIsAnErrorAndNothingIsAllocated) {
  NaiveWriter naive(native_order, 0);
  for (int i = 0; i < 10; ++i) naive.put(TypeParam{1});
  naive.bytes.pop_back();
  Reader reader(naive.bytes, {});
  std::vector<TypeParam> into;
  reader.get_vector(into, 10);
  EXPECT_EQ(reader.error(), errors::out_of_data);
  EXPECT_EQ(into.capacity(), 0u);

  Reader huge(naive.bytes, {});
  huge.get_vector(into, std::numeric_limits<std::size_t>::max() / 2);
  EXPECT_EQ(huge.error(), errors::out_of_data);
  EXPECT_EQ(into.capacity(), 0u);

  Reader array(naive.bytes, {});
  TypeParam values[10];
  array.get_array(values, 10);
  EXPECT_EQ(array.error(), errors::out_of_data);
}

TEST(Lending, PiecesEqualTheContiguousCopy) {
  std::mt19937 random(11);
  for (int round = 0; round < 200; ++round) {
    const std::size_t phase = random() % 8;
    Writer lending({}, phase);
    lending.allow_lending(true);
    Writer copying({}, phase);
    std::vector<std::vector<std::uint8_t>> alive;
    std::vector<std::vector<double>> doubles;
    alive.reserve(100);
    doubles.reserve(100);
    for (int i = 0; i < 30; ++i) {
      switch (random() % 4) {
        case 0: {
          std::vector<std::uint8_t> octets(random() % 10'000);
          for (std::uint8_t& octet : octets) octet = static_cast<std::uint8_t>(random());
          alive.push_back(std::move(octets));
          lending.put_octet_sequence(alive.back());
          copying.put_octet_sequence(alive.back());
          break;
        }
        case 1:
          doubles.emplace_back(random() % 1000, 1.5 + i);
          lending.put_array(doubles.back().data(), doubles.back().size());
          copying.put_array(doubles.back().data(), doubles.back().size());
          break;
        case 2:
          lending.put(i);
          copying.put(i);
          break;
        default:
          lending.put(static_cast<std::uint8_t>(i));
          copying.put(static_cast<std::uint8_t>(i));
          break;
      }
    }
    ASSERT_TRUE(copying.contiguous());
    ASSERT_EQ(lending.size(), copying.size());
    ASSERT_EQ(lending.copy(), owned(copying.bytes()));
    // Alignment inside the message is what a reader of the whole sees.
    std::vector<Piece> pieces;
    ASSERT_TRUE(lending.gather(pieces));
    for (const Piece& piece : pieces) ASSERT_NE(piece.size, 0u);
    ASSERT_EQ(gathered(lending), owned(copying.bytes()));
  }
}

TEST(Lending, CountsAgainstTheLimit) {
  const std::vector<std::uint8_t> large(10'000);
  Writer writer;
  writer.allow_lending(true);
  writer.set_limit(20'008);
  writer.put_octet_sequence(large);
  writer.put_octet_sequence(large);
  EXPECT_TRUE(writer.good());
  EXPECT_EQ(writer.size(), 20'008u);
  writer.put(std::uint8_t{1});
  EXPECT_EQ(writer.error(), errors::message_above_limit);
}

TEST(Lending, BlocksAreViewsOfTheCallersMemory) {
  const std::vector<double> values(1000, 2.5);
  Writer writer;
  writer.allow_lending(true);
  writer.put_length(values.size());
  writer.put_array(values.data(), values.size());
  std::vector<Piece> pieces;
  ASSERT_TRUE(writer.gather(pieces));
  ASSERT_EQ(pieces.size(), 2u);
  EXPECT_EQ(pieces[0].size, 8u);  // the length and its padding
  EXPECT_EQ(pieces[1].data, reinterpret_cast<const std::uint8_t*>(values.data()));
  EXPECT_EQ(pieces[1].size, 8000u);
}

// The size from which on blocks are lent may be any, and text does not count.
TEST(Lending, FromAnySizeOn) {
  const std::vector<std::uint8_t> octets(100, 7);
  const auto lent = [&](std::size_t from, std::size_t size) {
    Writer writer;
    writer.lend_from(from);
    writer.put_octet_sequence({octets.data(), size});
    writer.put_array(octets.data(), size);
    writer.put_string("text");
    EXPECT_EQ(writer.lends(size), size >= from);
    std::vector<Piece> pieces;
    EXPECT_TRUE(writer.gather(pieces));
    for (const Piece& piece : pieces) EXPECT_NE(piece.size, 0u);
    Writer copying;
    copying.put_octet_sequence({octets.data(), size});
    copying.put_array(octets.data(), size);
    copying.put_string("text");
    EXPECT_EQ(gathered(writer), owned(copying.bytes()));
    return !writer.contiguous();
  };
  for (const std::size_t from : {0u, 1u, 5u, 8u, 100u}) {
    for (const std::size_t size : {0u, 1u, 4u, 5u, 7u, 8u, 9u, 99u, 100u})
      EXPECT_EQ(lent(from, size), size != 0 && size >= from) << from << ' ' << size;
  }
  EXPECT_FALSE(lent(101, 100));
  EXPECT_FALSE(lent(Writer::never, 100));
}

TEST(Lending, OfAnotherSizeForAWhile) {
  Writer writer;
  writer.lend_from(1000);
  {
    const LendingScope fewer(writer, 50);
    EXPECT_EQ(writer.lends_from(), 50u);
    const LendingScope none(writer, Writer::never);
    EXPECT_FALSE(writer.lends(1 << 30));
    const LendingScope still_none(writer, 50);
    EXPECT_FALSE(writer.lends(1 << 30)) << "a writer that copies goes on so";
  }
  EXPECT_EQ(writer.lends_from(), 1000u);
  writer.reset({});
  EXPECT_EQ(writer.lends_from(), 1000u);
  const Writer moved(std::move(writer));
  EXPECT_EQ(moved.lends_from(), 1000u);
}

TEST(Blocks, AreViewsWhereTheyLie) {
  struct Pair {
    double d;
    std::int32_t l[2];
  };
  const Pair pairs[3] = {{1.5, {1, 2}}, {2.5, {3, 4}}, {3.5, {5, 6}}};
  Writer writer;
  writer.put_length(3);
  writer.put_block(pairs, sizeof pairs, 8);
  writer.put(std::uint8_t{7});
  Reader reader(writer.bytes(), {});
  EXPECT_EQ(reader.get_length(16), 3u);
  ASSERT_TRUE(reader.block_readable());
  const ByteView block = reader.get_block(sizeof pairs, 8);
  ASSERT_EQ(block.size(), sizeof pairs);
  EXPECT_TRUE(
      std::ranges::equal(block, ByteView(reinterpret_cast<const std::uint8_t*>(pairs), sizeof pairs)));
  EXPECT_EQ(block.data(), writer.bytes().data() + 8);
  EXPECT_EQ(reader.get<std::uint8_t>(), 7);
  EXPECT_TRUE(reader.get_block(1, 1).empty());
  EXPECT_EQ(reader.error(), errors::out_of_data);
}

TEST(Booleans, EveryLength) {
  std::mt19937 random(5);
  for (std::size_t count = 0; count < 300; ++count) {
    std::vector<bool> bits(count);
    std::vector<std::uint8_t> octets(1, 9);
    const auto plain = std::make_unique<bool[]>(count + 1);
    for (std::size_t i = 0; i < count; ++i) {
      bits[i] = plain[i] = random() % 2 != 0;
      octets.push_back(bits[i] ? 1 : 0);
    }
    Writer writer;
    writer.put(std::uint8_t{9});
    writer.put_booleans(bits);
    ASSERT_EQ(owned(writer.bytes()), octets);
    writer.reset({});
    writer.put(std::uint8_t{9});
    writer.put_boolean_array(plain.get(), count);
    ASSERT_EQ(owned(writer.bytes()), octets);

    Reader reader(octets, {});
    reader.get<std::uint8_t>();
    std::vector<bool> back(3, true);
    reader.get_booleans(back, count);
    ASSERT_EQ(back, bits);
    Reader array(octets, {});
    array.get<std::uint8_t>();
    const auto read = std::make_unique<bool[]>(count + 1);
    array.get_boolean_array(read.get(), count);
    ASSERT_TRUE(std::equal(read.get(), read.get() + count, plain.get()));

    if (count == 0) continue;
    octets[1 + random() % count] = 2;
    Reader bad(octets, {});
    bad.get<std::uint8_t>();
    bad.get_booleans(back, count);
    ASSERT_EQ(bad.error(), errors::bad_boolean);
    ASSERT_TRUE(back.empty());
  }
}

TEST(Chars, AboveAsciiIsAnErrorUnlessBothSidesHaveOneOctet) {
  for (const std::size_t count : {1u, 16u, 100u, 5000u}) {
    for (const std::size_t at : {std::size_t{0}, count / 2, count - 1}) {
      std::vector<char> text(count, 'a');
      text[at] = '\xE9';
      for (const bool lending : {false, true}) {
        Writer utf8;
        utf8.allow_lending(lending);
        utf8.put_array(text.data(), count);
        EXPECT_EQ(utf8.error(), errors::char_not_in_code_set);
      }
      WireFormat latin1;
      latin1.chars = latin1.native.chars = CodeSet::iso8859_1;
      Writer plain(latin1);
      plain.put_array(text.data(), count);
      ASSERT_TRUE(plain.good());

      Reader good(plain.bytes(), latin1);
      std::vector<char> back;
      good.get_vector(back, count);
      EXPECT_EQ(back, text);
      Reader bad(plain.bytes(), {});
      bad.get_vector(back, count);
      EXPECT_EQ(bad.error(), errors::char_not_in_code_set);
      EXPECT_TRUE(back.empty());
      Reader array(plain.bytes(), {});
      array.get_array(text.data(), count);
      EXPECT_EQ(array.error(), errors::char_not_in_code_set);
    }
  }
}

}  // namespace
}  // namespace tenon::cdr
