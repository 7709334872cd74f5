// SPDX-License-Identifier: Apache-2.0
//
// Loops over many bytes: every count, at any address, and what they leave in the processor.
#include <gtest/gtest.h>

#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>
#endif

#include <algorithm>
#include <functional>
#include <random>
#include <vector>

#include "cdr/block.hpp"
#include "cdr/byte_ops.hpp"

namespace tenon::cdr {
namespace {

TEST(ByteOps, SwapsEveryCount) {
  std::mt19937 random(1);
  for (const std::size_t size : {1u, 2u, 4u, 8u}) {
    for (std::size_t count = 0; count < 70; ++count) {
      std::vector<std::uint8_t> from(count * size);
      for (std::uint8_t& byte : from) byte = static_cast<std::uint8_t>(random());
      std::vector<std::uint8_t> expected = from;
      for (std::size_t i = 0; i < count; ++i) {
        const auto start = expected.begin() + static_cast<std::ptrdiff_t>(i * size);
        std::reverse(start, start + static_cast<std::ptrdiff_t>(size));
      }
      std::vector<std::uint8_t> to(from.size());
      copy_swapped(to.data(), from.data(), count, size);
      ASSERT_EQ(to, expected);
    }
  }
}

TEST(ByteOps, CopiesToAnyAddress) {
  std::vector<std::uint8_t> bytes(1500);
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::uint8_t>(i % 127);
  for (std::size_t start = 0; start < 33; ++start) {
    std::vector<std::uint8_t> to(bytes.size() + 34, 0xAA);
    EXPECT_TRUE(copy_ascii(to.data() + start, bytes.data(), bytes.size()));
    EXPECT_TRUE(std::equal(bytes.begin(), bytes.end(), to.data() + start)) << start;
    EXPECT_EQ(to[start + bytes.size()], 0xAA);
    for (const std::size_t size : {2u, 4u, 8u}) {
      const std::size_t count = 1400 / size + start;
      copy_swapped(to.data() + start, bytes.data(), std::min(count, 1500 / size), size);
      for (std::size_t i = 0; i < 1400; ++i) {
        ASSERT_EQ(to[start + i], bytes[i ^ (size - 1)]) << start << ' ' << size << ' ' << i;
      }
    }
  }
}

// In parts where the destination is a few octets behind the source modulo a page, else at once.
TEST(ByteOps, CopiesManyOctetsWhereverTheyLie) {
  constexpr std::size_t page = 4096;
  constexpr std::size_t sizes[] = {
      0, 1, in_one_part, in_one_part + 1, 2 * in_one_part, 2 * in_one_part + 1, 10007};
  std::vector<std::uint8_t> from(sizes[6]);
  for (std::size_t i = 0; i < from.size(); ++i) from[i] = static_cast<std::uint8_t>(i % 251);
  for (const std::size_t size : sizes) {
    for (const std::size_t behind : {0u, 1u, 12u, 63u, 64u, 4095u}) {
      std::vector<std::uint8_t> room(5 * page, 0xAA);
      const auto apart =
          reinterpret_cast<std::uintptr_t>(from.data()) - reinterpret_cast<std::uintptr_t>(room.data());
      const std::size_t start = (apart + behind) % page;
      copy_octets(room.data() + start, from.data(), size);
      std::vector<std::uint8_t> expected(5 * page, 0xAA);
      std::copy_n(from.begin(), size, expected.begin() + static_cast<std::ptrdiff_t>(start));
      EXPECT_EQ(room, expected) << size << " octets, " << behind << " behind";
    }
  }
}

#if defined(__x86_64__)

/// Whether the upper halves of the AVX registers are in use, from the processor (XGETBV with 1, where CPUID leaf 13 offers it).
[[gnu::target("xsave,xsavec")]] bool upper_halves_used() { return (_xgetbv(1) & 4) != 0; }
bool tells_upper_halves() {
  unsigned a = 0, b = 0, c = 0, d = 0;
  return __get_cpuid_count(13, 1, &a, &b, &c, &d) != 0 && (a & 4) != 0 && __builtin_cpu_supports("avx2");
}
[[gnu::target("avx")]] void clean_upper_halves() { _mm256_zeroupper(); }

// A loop that leaves them in use makes all later SSE code of the thread slower.
TEST(ByteOps, LeaveTheUpperHalvesClean) {
  if (!tells_upper_halves()) GTEST_SKIP() << "this processor does not tell, or has no AVX2";
  std::vector<std::uint8_t> from(4096, 1);
  std::vector<std::uint8_t> to(4096);
  constexpr Masks<4> masks(".b_c");
  const Block block{.size = 4, .bytes = 4, .align = 1, .has_chars = true, .masks = masks.bytes};
  const std::pair<const char*, std::function<void()>> loops[] = {
      {"copy_swapped 2", [&] { copy_swapped(to.data(), from.data(), 2000, 2); }},
      {"copy_swapped 4", [&] { copy_swapped(to.data(), from.data(), 1000, 4); }},
      {"copy_swapped 8", [&] { copy_swapped(to.data(), from.data(), 500, 8); }},
      {"copy_ascii", [&] { (void)copy_ascii(to.data(), from.data(), from.size()); }},
      {"is_ascii", [&] { (void)is_ascii(from.data(), from.size()); }},
      {"are_booleans", [&] { (void)are_booleans(from.data(), from.size()); }},
      {"pack_booleans", [&] { (void)pack_booleans(to.data(), from.data(), 512); }},
      {"unpack_booleans", [&] { unpack_booleans(to.data(), from.data(), 512); }},
      {"copy_blocks", [&] { (void)copy_blocks(block, to.data(), from.data(), 1024, false); }},
      {"check_blocks", [&] { (void)check_blocks(block, from.data(), 1024, false); }}};
  for (const auto& [name, loop] : loops) {
    clean_upper_halves();
    loop();
    const bool used = upper_halves_used();
    EXPECT_FALSE(used) << name;
  }
}

#endif

TEST(ByteOps, PacksManyBooleans) {
  for (std::size_t octets = 0; octets < 90; octets += octets == 40 ? 20 : 1) {
    std::vector<std::uint8_t> bytes(octets * 8);
    for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = i * i % 7 < 3 ? 1 : 0;
    std::vector<std::uint8_t> packed(octets + 1, 0xAA);
    EXPECT_TRUE(pack_booleans(packed.data(), bytes.data(), octets));
    EXPECT_EQ(packed[octets], 0xAA);
    for (std::size_t i = 0; i < bytes.size(); ++i)
      ASSERT_EQ(packed[i / 8] >> (i % 8) & 1, bytes[i]) << octets;
    std::vector<std::uint8_t> back(bytes.size() + 1, 0xAA);
    unpack_booleans(back.data(), packed.data(), octets);
    EXPECT_EQ(back[bytes.size()], 0xAA);
    back.pop_back();
    EXPECT_EQ(back, bytes);
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      for (const std::uint8_t wrong : {std::uint8_t{2}, std::uint8_t{0x80}}) {
        std::vector<std::uint8_t> bad = bytes;
        bad[i] |= wrong;
        EXPECT_FALSE(pack_booleans(packed.data(), bad.data(), octets)) << octets << ' ' << i;
      }
    }
  }
}

TEST(ByteOps, FindsOneBadByteAnywhere) {
  for (std::size_t count = 1; count < 800; count += count < 200 ? 1 : 41) {
    std::vector<std::uint8_t> bytes(count, 1);
    std::vector<std::uint8_t> to(count);
    EXPECT_TRUE(are_booleans(bytes.data(), count));
    EXPECT_TRUE(copy_ascii(to.data(), bytes.data(), count));
    EXPECT_EQ(to, bytes);
    for (std::size_t i = 0; i < count; ++i) {
      bytes[i] = 2;
      EXPECT_FALSE(are_booleans(bytes.data(), count));
      EXPECT_TRUE(is_ascii(bytes.data(), count));
      bytes[i] = 0x80;
      EXPECT_FALSE(is_ascii(bytes.data(), count));
      EXPECT_FALSE(copy_ascii(to.data(), bytes.data(), count));
      bytes[i] = 1;
    }
  }
  for (unsigned bits = 0; bits < 256; ++bits) {
    std::uint8_t octets[8];
    unpack_booleans(octets, static_cast<std::uint8_t>(bits));
    for (unsigned i = 0; i < 8; ++i) EXPECT_EQ(octets[i], bits >> i & 1);
    EXPECT_EQ(pack_booleans(octets), bits);
  }
}

}  // namespace
}  // namespace tenon::cdr
