// SPDX-License-Identifier: Apache-2.0
//
// Messages that leave their writer in parts: put together again, they are what a writer without a sink makes.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>

#include "base/minor_codes.hpp"
#include "cdr/writer.hpp"

namespace tenon::cdr {
namespace {

constexpr std::uint8_t mark = 0xEE;  // what start() is filled with

class Parts final : public PartSink {
 public:
  using PartSink::PartSink;
  Status take(std::span<const Piece> part) noexcept override {
    if (fails_at != 0 && ++takes == fails_at) return errors::connection_lost;
    std::size_t size = 0;
    for (const Piece& piece : part) {
      message.insert(message.end(), piece.data, piece.data + piece.size);
      size += piece.size;
    }
    sizes.push_back(size);
    drop_start(size);
    std::fill_n(start(), start_size, mark);
    return {};
  }
  /// What is left in the writer when it has finished.
  void take_rest(const Writer& writer) {
    const std::vector<std::uint8_t> rest = writer.copy();
    message.insert(message.end(), rest.begin(), rest.end());
    sizes.push_back(rest.size());
    drop_start(rest.size());
  }

  std::vector<std::uint8_t> message;
  std::vector<std::size_t> sizes;  // of the parts, with what they begin with
  std::size_t fails_at = 0;
  std::size_t takes = 0;

 private:
  void drop_start(std::size_t size) {
    if (sizes.size() == 1) return;
    const auto begin = message.end() - static_cast<std::ptrdiff_t>(size);
    for (auto at = begin; at != begin + start_size; ++at) EXPECT_EQ(*at, mark);
    message.erase(begin, begin + start_size);
  }
};

/// The same sequence of values for each seed.
void write_some(Writer& writer, unsigned seed, const std::vector<std::uint8_t>& octets,
                const std::vector<double>& doubles) {
  std::minstd_rand random(seed);
  for (int i = 0; i < 3000; ++i) {
    switch (random() % 8) {
      case 0: writer.put(static_cast<std::uint8_t>(random())); break;
      case 1: writer.put(static_cast<std::uint16_t>(random())); break;
      case 2: writer.put(static_cast<std::uint32_t>(random())); break;
      case 3: writer.put(static_cast<double>(random())); break;
      case 4: writer.put_string(std::string(random() % 40, 'x')); break;
      case 5: writer.put_octet_sequence({octets.data(), random() % 300}); break;
      case 6: writer.put_array(doubles.data(), random() % 20); break;
      default:
        if (random() % 50 == 0) writer.put_octet_sequence({octets.data(), 4096 + random() % 5000});
        break;
    }
  }
}

TEST(Parts, MakeTheSameMessage) {
  const std::vector<std::uint8_t> octets(10000, 0x5A);
  const std::vector<double> doubles(20, 1.5);
  for (const bool lends : {false, true}) {
    for (const std::size_t most : {64u, 72u, 100u, 1000u, 4096u, 65536u}) {
      for (unsigned seed = 1; seed < 9; ++seed) {
        for (const ByteOrder order : {ByteOrder::little, ByteOrder::big}) {
          Writer whole({.order = order});
          whole.reset({.order = order});
          write_some(whole, seed, octets, doubles);
          Parts parts(most);
          Writer writer({.order = order});
          writer.allow_lending(lends);
          writer.reset({.order = order}, 0, 32);
          writer.send_parts_to(&parts);
          write_some(writer, seed, octets, doubles);
          ASSERT_TRUE(writer.good());
          EXPECT_EQ(writer.size(), whole.size());
          EXPECT_EQ(writer.in_parts(), !parts.sizes.empty());
          for (const std::size_t size : parts.sizes) EXPECT_EQ(size % 8, 0u);
          EXPECT_GE(parts.sizes.size(), most >= 65536 ? 1u : 10u);
          parts.take_rest(writer);
          ASSERT_EQ(parts.message, whole.copy()) << most << ' ' << seed << ' ' << lends;
        }
      }
    }
  }
}

// Strings and numbers need no more memory than a part, however many they are.
TEST(Parts, TheWriterStaysSmall) {
  constexpr std::size_t most = 64 * 1024;
  Parts parts(most);
  Writer writer;
  writer.reset({}, 0, 1024);
  writer.send_parts_to(&parts);
  for (int i = 0; i < 100'000; ++i) writer.put_string("a string of thirty characters.");
  EXPECT_EQ(writer.size(), 36u * 100'000 - 1);
  EXPECT_LE(writer.capacity(), 2 * most);
  // All parts are nearly full.
  EXPECT_GE(parts.sizes.size(), writer.size() / most);
  EXPECT_LE(parts.sizes.size(), writer.size() / (most - 100));
  EXPECT_LE(std::ranges::max(parts.sizes), most);
}

TEST(Parts, AnErrorOfTheSinkIsTheWriters) {
  Parts parts(64);
  parts.fails_at = 2;
  Writer writer;
  writer.reset({});
  writer.send_parts_to(&parts);
  for (int i = 0; i < 100; ++i) writer.put(std::uint64_t{7});
  EXPECT_EQ(writer.error(), errors::connection_lost);
  EXPECT_EQ(parts.takes, 2u);
  EXPECT_TRUE(writer.in_parts());
}

TEST(Parts, TheLimitIsThatOfTheMessage) {
  Parts parts(64);
  Writer writer;
  writer.set_limit(1000);
  writer.reset({});
  writer.send_parts_to(&parts);
  for (int i = 0; i < 125; ++i) writer.put(std::uint64_t{7});
  EXPECT_TRUE(writer.good());
  writer.put(std::uint8_t{1});
  EXPECT_EQ(writer.error(), errors::message_above_limit);
}

// An offset in a later value may lead to it.
TEST(Parts, NothingLeavesBehindAValue) {
  Parts parts(64);
  Writer writer;
  writer.reset({});
  writer.send_parts_to(&parts);
  for (int i = 0; i < 20; ++i) writer.put(std::uint64_t{7});
  const std::size_t before = parts.sizes.size();
  EXPECT_GT(before, 0u);
  const int identity = 0;
  (void)writer.begin_value(&identity, {}, false);
  for (int i = 0; i < 2000; ++i) writer.put(std::uint64_t{7});
  writer.end_value();
  EXPECT_TRUE(writer.put_shared_value(&identity));
  EXPECT_EQ(parts.sizes.size(), before);
  parts.take_rest(writer);
  EXPECT_EQ(parts.message.size(), writer.size());
}

TEST(Parts, EndWithTheSink) {
  Parts parts(64);
  Writer writer;
  writer.reset({});
  writer.send_parts_to(&parts);
  writer.send_parts_to(nullptr);
  for (int i = 0; i < 100; ++i) writer.put(std::uint64_t{7});
  EXPECT_FALSE(writer.in_parts());
  EXPECT_EQ(writer.bytes().size(), 800u);
}

}  // namespace
}  // namespace tenon::cdr
