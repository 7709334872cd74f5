// SPDX-License-Identifier: Apache-2.0
#include "cdr/masked_copy.hpp"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace tenon::cdr {
namespace {

struct Case {
  std::vector<std::uint8_t> keep, forbid, from;
};

Case random_case(std::mt19937& random, std::size_t size, std::size_t bytes, bool clean) {
  Case made;
  for (std::size_t i = 0; i < size; ++i) {
    const auto kind = random() % 4;
    made.keep.push_back(kind == 0 ? 0 : 0xFF);
    made.forbid.push_back(kind == 1 ? 0x80 : kind == 2 ? 0xFE : 0);
  }
  for (std::size_t i = 0; i < bytes; ++i) {
    auto octet = static_cast<std::uint8_t>(random());
    if (clean) octet &= static_cast<std::uint8_t>(~made.forbid[i % size]);
    made.from.push_back(octet);
  }
  return made;
}

// Every size of element and of run, against the definition, with a forbidden bit at any place.
TEST(MaskedCopy, IsWhatTheMasksSay) {
  std::mt19937 random(7);
  for (std::size_t size = 1; size <= 80; ++size) {
    for (const std::size_t bytes : {std::size_t{0}, size, 2 * size - 1, 7 * size, 64 * size + size / 2}) {
      Case one = random_case(random, size, bytes, true);
      const ElementMask mask{size, one.keep.data(), one.forbid.data()};
      std::vector<std::uint8_t> to(bytes + 1, 0xAA);
      EXPECT_TRUE(copy_masked(to.data(), one.from.data(), bytes, mask));
      EXPECT_TRUE(check_masked(one.from.data(), bytes, mask));
      for (std::size_t i = 0; i < bytes; ++i)
        ASSERT_EQ(to[i], one.from[i] & one.keep[i % size]) << size << ' ' << i;
      EXPECT_EQ(to[bytes], 0xAA);
      if (bytes == 0) continue;
      const std::size_t at = random() % bytes;
      if (one.forbid[at % size] == 0) continue;
      one.from[at] |= 0x80;
      EXPECT_FALSE(copy_masked(to.data(), one.from.data(), bytes, mask)) << size << ' ' << at;
      EXPECT_FALSE(check_masked(one.from.data(), bytes, mask)) << size << ' ' << at;
    }
  }
}

// Where both begin makes no difference.
TEST(MaskedCopy, StartsAtAnyAddress) {
  std::mt19937 random(8);
  for (std::size_t start = 0; start < 64; ++start) {
    const std::size_t size = 1 + start * 3 % 29;
    const std::size_t bytes = 40 * size + 5 % size;
    Case one = random_case(random, size, bytes, true);
    const ElementMask mask{size, one.keep.data(), one.forbid.data()};
    std::vector<std::uint8_t> from(start, 0xFF);
    from.insert(from.end(), one.from.begin(), one.from.end());
    std::vector<std::uint8_t> to(bytes + 66, 0xAA);
    std::uint8_t* const into = to.data() + (64 - start);
    EXPECT_TRUE(copy_masked(into, from.data() + start, bytes, mask)) << start;
    EXPECT_TRUE(check_masked(from.data() + start, bytes, mask)) << start;
    for (std::size_t i = 0; i < bytes; ++i)
      ASSERT_EQ(into[i], one.from[i] & one.keep[i % size]) << start << ' ' << i;
    EXPECT_EQ(into[-1], 0xAA);
    EXPECT_EQ(into[bytes], 0xAA);
    for (std::size_t i = 0; i < bytes; ++i) {
      if (one.forbid[i % size] == 0) continue;
      from[start + i] ^= 0x80;
      EXPECT_FALSE(copy_masked(into, from.data() + start, bytes, mask)) << start << ' ' << i;
      EXPECT_FALSE(check_masked(from.data() + start, bytes, mask)) << start << ' ' << i;
      from[start + i] ^= 0x80;
    }
  }
}

}  // namespace
}  // namespace tenon::cdr
