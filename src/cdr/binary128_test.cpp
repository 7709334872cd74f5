// SPDX-License-Identifier: Apache-2.0
//
// IDL long double: known values, round trips, and the compiler's own 128-bit type as the reference where
// there is one.
#include "cdr/binary128.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <random>

#include "base/hex.hpp"
#include "base/minor_codes.hpp"
#include "cdr/naive_cdr_test_support.hpp"
#include "cdr/reader.hpp"
#include "cdr/writer.hpp"

namespace tenon::cdr {
namespace {

using Limits = std::numeric_limits<long double>;

TEST(Binary128, KnownValues) {
  EXPECT_EQ(to_binary128(0.0L), (Binary128{0, 0}));
  EXPECT_EQ(to_binary128(-0.0L), (Binary128{0x8000000000000000, 0}));
  EXPECT_EQ(to_binary128(1.0L), (Binary128{0x3FFF000000000000, 0}));
  EXPECT_EQ(to_binary128(-2.5L), (Binary128{0xC000400000000000, 0}));
  EXPECT_EQ(to_binary128(Limits::infinity()), (Binary128{0x7FFF000000000000, 0}));
  EXPECT_EQ(from_binary128({0xFFFF000000000000, 0}), -Limits::infinity());
  EXPECT_TRUE(std::isnan(from_binary128(to_binary128(Limits::quiet_NaN()))));
  EXPECT_TRUE(std::isnan(from_binary128({0x7FFF000000000000, 1})));
  EXPECT_TRUE(std::signbit(from_binary128({0x8000000000000000, 0})));
}

TEST(Binary128, RoundTrips) {
  std::mt19937_64 random(9);
  const auto check = [](long double value) {
    EXPECT_EQ(from_binary128(to_binary128(value)), value);
    EXPECT_EQ(from_binary128(to_binary128(-value)), -value);
  };
  for (const long double value :
       {Limits::min(), Limits::max(), Limits::denorm_min(), Limits::epsilon(), Limits::min() / 4, 0.1L}) {
    check(value);
  }
  for (int i = 0; i < 10'000; ++i) {
    const auto mantissa = static_cast<long double>(random());
    check(std::ldexp(mantissa, static_cast<int>(random() % 32'000) - 16'300));
  }
}

#if defined(__SIZEOF_FLOAT128__)
__extension__ typedef __float128 Quad;

TEST(Binary128, AsTheCompilerDoesIt) {
  std::mt19937_64 random(10);
  for (int i = 0; i < 100'000; ++i) {
    Binary128 bits{random(), random()};
    // Exactly half between two neighbours, just beside, far out: where rounding goes wrong.
    if (i % 4 == 1) bits.low = bits.low >> 49 << 49 | std::uint64_t{1} << 48;
    if (i % 4 == 2) bits.low |= (std::uint64_t{1} << 49) - 1;
    if (i % 8 == 3) bits.high |= 0x0000FFFFFFFFFFFF;
    if (i % 16 == 4) bits.high &= 0x8000FFFFFFFFFFFF;
    const std::uint64_t words[2] = {native_order == ByteOrder::little ? bits.low : bits.high,
                                    native_order == ByteOrder::little ? bits.high : bits.low};
    Quad quad = 0;
    std::memcpy(&quad, words, sizeof quad);
    const auto expected = static_cast<long double>(quad);
    const long double got = from_binary128(bits);
    if (std::isnan(expected)) {
      ASSERT_TRUE(std::isnan(got));
      continue;
    }
    ASSERT_EQ(got, expected) << hex_number(bits.high, 16) << ' ' << hex_number(bits.low, 16);
    ASSERT_EQ(std::signbit(got), std::signbit(expected));
    const Quad widened = expected;
    std::uint64_t back[2];
    std::memcpy(back, &widened, sizeof back);
    const bool little = native_order == ByteOrder::little;
    ASSERT_EQ(to_binary128(expected), (Binary128{back[little ? 1 : 0], back[little ? 0 : 1]}));
  }
}
#endif

TEST(LongDouble, OnTheWire) {
  for (const ByteOrder order : {ByteOrder::big, ByteOrder::little}) {
    for (std::size_t phase = 0; phase < 8; ++phase) {
      Writer writer({.order = order}, phase);
      writer.put(std::uint8_t{1});
      writer.put_long_double(-2.5L);
      writer.put(std::uint8_t{2});
      NaiveWriter naive(order, phase);
      naive.octet(1);
      naive.align(8);
      for (unsigned i = 0; i < 16; ++i) {
        const unsigned octets[16] = {0xC0, 0x00, 0x40};
        naive.octet(octets[order == ByteOrder::big ? i : 15 - i]);
      }
      naive.octet(2);
      ASSERT_EQ(owned(writer.bytes()), naive.bytes);
      Reader reader(naive.bytes, {.order = order}, phase);
      reader.get<std::uint8_t>();
      EXPECT_EQ(reader.get_long_double(), -2.5L);
      EXPECT_EQ(reader.get<std::uint8_t>(), 2);
      naive.bytes.resize(naive.bytes.size() - 2);
      Reader cut(naive.bytes, {.order = order}, phase);
      cut.get<std::uint8_t>();
      EXPECT_EQ(cut.get_long_double(), 0);
      EXPECT_EQ(cut.error(), errors::out_of_data);
    }
  }
}

}  // namespace
}  // namespace tenon::cdr
