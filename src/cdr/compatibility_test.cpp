// SPDX-License-Identifier: Apache-2.0
//
// What each switch of compatibility.hpp changes, and that it changes nothing while it is off.
#include "cdr/compatibility.hpp"

#include <gtest/gtest.h>

#include <cfloat>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "base/minor_codes.hpp"
#include "cdr/binary128.hpp"
#include "cdr/block.hpp"
#include "cdr/reader.hpp"
#include "cdr/writer.hpp"

namespace tenon::cdr {
namespace {

using Bytes = std::vector<std::uint8_t>;

/// Switches an option on while it exists.
class On {
 public:
  explicit On(std::atomic<bool>& one) : one_(one) { one_ = true; }
  ~On() { one_ = false; }
  On(const On&) = delete;
  On& operator=(const On&) = delete;

 private:
  std::atomic<bool>& one_;
};

TEST(CompatibleBooleans, EveryOctetWhereToldSo) {
  const Bytes octets{0, 1, 2, 0x80, 0xFF, 0, 1, 3, 0, 9};
  const std::vector<bool> wanted{false, true, true, true, true, false, true, true, false, true};
  const auto read_all = [&](auto&& judge) {
    Reader one(octets, {});
    Reader array(octets, {});
    Reader bits(octets, {});
    std::vector<bool> singles;
    for (std::size_t i = 0; i < octets.size(); ++i) singles.push_back(one.get_boolean());
    bool plain[10] = {};
    array.get_boolean_array(plain, 10);
    std::vector<bool> several;
    bits.get_booleans(several, 10);
    judge(one, singles);
    judge(array, std::vector<bool>(plain, plain + 10));
    judge(bits, several);
  };
  read_all(
      [](const Reader& reader, const std::vector<bool>&) { EXPECT_EQ(reader.error(), errors::bad_boolean); });
  const On on(compatibility().any_octet_is_boolean);
  read_all([&](const Reader& reader, const std::vector<bool>& got) {
    EXPECT_TRUE(reader.good());
    EXPECT_EQ(got, wanted);
  });
}

TEST(CompatibleBooleans, InStructsThatAreCopiedWhole) {
  constexpr Masks<4> masks("b_c.");
  const Block block{.size = 4, .bytes = 4, .align = 1, .has_chars = true, .masks = masks.bytes};
  Bytes from;
  for (int i = 0; i < 40; ++i) from.insert(from.end(), {static_cast<std::uint8_t>(i), 9, 'c', 0xFE});
  Bytes to(from.size());
  const auto read = [&] {
    Reader reader(from, {});
    get_blocks(reader, block, to.data(), 40);
    return reader.good();
  };
  EXPECT_FALSE(read());
  const On on(compatibility().any_octet_is_boolean);
  EXPECT_TRUE(read());
  for (std::size_t i = 0; i < 40; ++i) {
    EXPECT_EQ(Bytes(to.begin() + static_cast<std::ptrdiff_t>(4 * i),
                    to.begin() + static_cast<std::ptrdiff_t>(4 * i + 4)),
              (Bytes{static_cast<std::uint8_t>(i == 0 ? 0 : 1), 0, 'c', 0xFE}));
  }
  from[4 * 39 + 2] = 0xE9;  // octets other than booleans are still checked
  EXPECT_FALSE(read());
}

Bytes written(long double value, ByteOrder order) {
  Writer writer({.order = order});
  writer.put_long_double(value);
  return writer.copy();
}

TEST(CompatibleLongDouble, IsTheX87sWhereToldSo) {
  const On on(compatibility().x87_long_double);
  // 1.0: exponent 16383, the bit before the point; little-endian as an x86 has it in memory, with zeroed padding.
  const Bytes one{0, 0, 0, 0, 0, 0, 0, 0x80, 0xFF, 0x3F, 0, 0, 0, 0, 0, 0};
  EXPECT_EQ(written(1.0L, ByteOrder::little), one);
  EXPECT_EQ(written(1.0L, ByteOrder::big), Bytes(one.rbegin(), one.rend()));
  // -2.5 = -1.25 * 2
  EXPECT_EQ(written(-2.5L, ByteOrder::little),
            (Bytes{0, 0, 0, 0, 0, 0, 0, 0xA0, 0x00, 0xC0, 0, 0, 0, 0, 0, 0}));
  // Such a peer's padding has any content.
  Bytes dirty = one;
  for (std::size_t i = 10; i < 16; ++i) dirty[i] = 0xCC;
  EXPECT_EQ(Reader(dirty, {.order = ByteOrder::little}).get_long_double(), 1.0L);
  using Numbers = std::numeric_limits<long double>;
  // The smallest number of the x87; binary128 has smaller ones.
  const long double smallest = LDBL_MANT_DIG == 113 ? std::ldexp(1.0L, -16445) : Numbers::denorm_min();
  for (const long double value :
       {0.0L, -0.0L, 1.0L / 3, Numbers::max(), Numbers::min(), smallest, Numbers::infinity()}) {
    for (const ByteOrder order : {ByteOrder::big, ByteOrder::little}) {
      const long double back = Reader(written(value, order), {.order = order}).get_long_double();
      // Where a long double is binary128 itself the x87 has fewer bits.
      EXPECT_TRUE(back == value ||
                  (std::isfinite(value) && std::fabs(back - value) <= std::fabs(value) * 0x1p-63L))
          << static_cast<double>(value);
      EXPECT_EQ(std::signbit(back), std::signbit(value));
    }
  }
  EXPECT_TRUE(
      std::isnan(Reader(written(Numbers::quiet_NaN(), ByteOrder::little), {.order = ByteOrder::little})
                     .get_long_double()));
}

#if LDBL_MANT_DIG == 64 && defined(__x86_64__)
// omniORB does the same on such machines: it copies the memory.
TEST(CompatibleLongDouble, IsTheProcessorsMemory) {
  const On on(compatibility().x87_long_double);
  for (const long double value : {1.0L / 3, -1e4000L, LDBL_MIN, 0.0L}) {
    Bytes memory(10);
    std::memcpy(memory.data(), &value, 10);
    memory.resize(16);
    EXPECT_EQ(written(value, ByteOrder::little), memory);
  }
}
#endif

}  // namespace
}  // namespace tenon::cdr
