// SPDX-License-Identifier: Apache-2.0
//
// GIOP 1.1 fragments: a message cut at every legal place, each piece aligned from its own start, read as one
// body.
#include <gtest/gtest.h>

#include <functional>

#include "base/minor_codes.hpp"
#include "cdr/naive_cdr_test_support.hpp"
#include "cdr/reader.hpp"

namespace tenon::cdr {
namespace {

/// Writes a body in fragments: before its n-th unbreakable part a new fragment starts if `cut(n)` is true.
class FragmentedWriter {
 public:
  using Cut = std::function<bool(std::size_t part)>;

  FragmentedWriter(ByteOrder order, std::size_t phase, std::size_t next_phase, std::size_t tail, Cut cut)
      : order_(order), next_phase_(next_phase), tail_(tail), cut_(std::move(cut)), naive_(order, phase) {}

  template <typename T>
  void put(T value) {
    part();
    naive_.put(value);
  }
  void string(std::string_view text) {
    put(static_cast<std::uint32_t>(text.size() + 1));
    for (const char c : text) octet(static_cast<unsigned char>(c));
    octet(0);
  }
  void octet(unsigned value) {
    part();
    naive_.octet(value);
  }
  void finish() { body.insert(body.end(), naive_.bytes.begin(), naive_.bytes.end()); }

  std::vector<std::uint8_t> body;
  std::vector<Restart> restarts;
  std::size_t parts = 0;

 private:
  void part() {
    if (!cut_(parts++)) return;
    // Some senders fill a fragment up to a multiple of their own.
    for (std::size_t i = 0; i < tail_; ++i) naive_.octet(0);
    body.insert(body.end(), naive_.bytes.begin(), naive_.bytes.end());
    restarts.push_back({body.size(), next_phase_});
    naive_ = NaiveWriter(order_, next_phase_);
  }

  ByteOrder order_;
  std::size_t next_phase_, tail_;
  Cut cut_;
  NaiveWriter naive_;
};

void write_all(FragmentedWriter& to) {
  to.put(std::uint8_t{1});
  to.put(std::uint64_t{0x1122334455667788});
  to.put(std::uint16_t{0xABCD});
  to.put(2.5);
  to.string("hello, fragments");
  to.put(std::int32_t{-5});
  for (int i = 0; i < 7; ++i) to.put(1.25 * i);  // an array
  to.put(std::uint8_t{3});
  for (int i = 0; i < 9; ++i) to.put(static_cast<std::int16_t>(i * 1000));  // a vector
  to.put(std::uint32_t{3});
  for (const wchar_t c : {L'a', L'b', L'\0'}) to.put(static_cast<std::uint16_t>(c));
  to.put(std::uint8_t{9});
  to.finish();
}

void read_all(Reader& from) {
  EXPECT_EQ(from.get<std::uint8_t>(), 1);
  EXPECT_EQ(from.get<std::uint64_t>(), 0x1122334455667788u);
  EXPECT_EQ(from.get<std::uint16_t>(), 0xABCD);
  EXPECT_EQ(from.get<double>(), 2.5);
  std::string text;
  from.get_string(text);
  EXPECT_EQ(text, "hello, fragments");
  EXPECT_EQ(from.get<std::int32_t>(), -5);
  double doubles[7] = {};
  from.get_array(doubles, 7);
  for (int i = 0; i < 7; ++i) EXPECT_EQ(doubles[i], 1.25 * i);
  EXPECT_EQ(from.get<std::uint8_t>(), 3);
  std::vector<std::int16_t> shorts;
  from.get_vector(shorts, 9);
  ASSERT_EQ(shorts.size(), 9u);
  for (int i = 0; i < 9; ++i) EXPECT_EQ(shorts[static_cast<std::size_t>(i)], i * 1000);
  std::wstring wide;
  from.get_wstring(wide);
  EXPECT_EQ(wide, L"ab");
  EXPECT_EQ(from.get<std::uint8_t>(), 9);
  EXPECT_EQ(from.remaining(), 0u);
  EXPECT_EQ(from.error(), Error{});
}

void check(ByteOrder order, std::size_t phase, std::size_t next_phase, const FragmentedWriter::Cut& cut) {
  FragmentedWriter writer(order, phase, next_phase, 0, cut);
  write_all(writer);
  // At an odd address: alignment is of positions, not of memory.
  std::vector<std::uint8_t> shifted(3);
  shifted.insert(shifted.end(), writer.body.begin(), writer.body.end());
  Reader reader(ByteView(shifted).subspan(3), {.giop_minor = 1, .order = order}, phase, writer.restarts);
  read_all(reader);
}

std::size_t part_count() {
  FragmentedWriter writer(native_order, 0, 0, 0, [](std::size_t) { return false; });
  write_all(writer);
  return writer.parts;
}

TEST(Segments, OneCutAnywhere) {
  const std::size_t parts = part_count();
  for (const ByteOrder order : {ByteOrder::big, ByteOrder::little}) {
    for (std::size_t phase = 0; phase < 8; ++phase) {
      for (std::size_t at = 0; at < parts; ++at) {
        SCOPED_TRACE(testing::Message() << "phase " << phase << " cut before part " << at);
        check(order, phase, 4, [at](std::size_t part) { return part == at; });
        if (HasFailure()) return;
      }
    }
  }
}

TEST(Segments, TwoCutsAnywhere) {
  const std::size_t parts = part_count();
  for (std::size_t first = 0; first < parts; ++first) {
    for (std::size_t second = first; second < parts; ++second) {
      SCOPED_TRACE(testing::Message() << "cuts before parts " << first << " and " << second);
      check(native_order, 4, first % 8, [=](std::size_t part) { return part == first || part == second; });
      if (HasFailure()) return;
    }
  }
}

TEST(Segments, EveryPartAlone) {
  for (std::size_t phase = 0; phase < 8; ++phase) {
    for (std::size_t next = 0; next < 8; ++next) {
      SCOPED_TRACE(testing::Message() << "phases " << phase << ", " << next);
      check(ByteOrder::big, phase, next, [](std::size_t) { return true; });
      check(ByteOrder::little, phase, next, [](std::size_t part) { return part % 3 == 0; });
      if (HasFailure()) return;
    }
  }
}

TEST(Segments, PaddingAtTheEndOfAFragmentIsSkipped) {
  for (std::size_t tail = 0; tail < 8; ++tail) {
    // An octet, `tail` octets of padding; then a double in the next fragment, which could not have begun in
    // the first one.
    FragmentedWriter writer(ByteOrder::big, 0, 4, tail, [](std::size_t part) { return part == 1; });
    writer.put(std::uint8_t{7});
    writer.put(3.5);
    writer.finish();
    Reader reader(writer.body, {.giop_minor = 1, .order = ByteOrder::big}, 0, writer.restarts);
    EXPECT_EQ(reader.get<std::uint8_t>(), 7);
    EXPECT_EQ(reader.get<double>(), 3.5) << tail;
    EXPECT_EQ(reader.remaining(), 0u);
  }
}

TEST(Segments, AnOctetRunMayCrossSeveral) {
  const std::vector<std::uint8_t> body(40, 5);
  const Restart restarts[] = {{10, 4}, {20, 4}, {30, 1}};
  Reader reader(body, {.giop_minor = 1}, 0, restarts);
  EXPECT_FALSE(reader.block_readable());
  EXPECT_EQ(reader.get_octets(31).size(), 31u);
  EXPECT_TRUE(reader.block_readable());  // the last one
  // Offset 31 has position 2 in its fragment.
  reader.align(8);
  EXPECT_EQ(reader.position(), 37u);
}

TEST(Segments, BlocksDoNotCross) {
  const std::vector<std::uint8_t> body(40, 5);
  const Restart restarts[] = {{10, 4}};
  Reader reader(body, {.giop_minor = 1}, 0, restarts);
  EXPECT_EQ(reader.get_block(8, 8).size(), 8u);
  EXPECT_TRUE(reader.get_block(8, 8).empty());
  EXPECT_EQ(reader.error(), errors::block_across_fragments);
}

TEST(Segments, NonsenseOffsetsAreSafe) {
  const std::vector<std::uint8_t> body(16, 1);
  const Restart cases[][3] = {{{0, 0}, {0, 0}, {0, 0}},
                              {{100, 0}, {200, 3}, {300, 9}},
                              {{12, 0}, {4, 0}, {2, 0}},
                              {{16, 7}, {16, 7}, {16, 7}}};
  for (const auto& restarts : cases) {
    Reader reader(body, {.giop_minor = 1}, 0, restarts);
    std::size_t read = 0;
    while (reader.good()) {
      reader.get<std::uint16_t>();
      reader.get_octets(1);
      ASSERT_LE(reader.position(), body.size());
      ASSERT_LT(++read, 100u);
    }
    EXPECT_EQ(reader.error(), errors::out_of_data);
  }
}

}  // namespace
}  // namespace tenon::cdr
