// SPDX-License-Identifier: Apache-2.0
#include "marshal/block.hpp"

#include <algorithm>
#include <array>

namespace tenon::marshal {

namespace {

std::uint64_t lane(const std::uint8_t* from, std::size_t bytes) noexcept {
  std::uint64_t value = 0;
  std::memcpy(&value, from, bytes);
  return value;
}

constexpr std::uint64_t char_bits = 0x8080808080808080;
constexpr std::uint64_t bool_bits = 0xFEFEFEFEFEFEFEFE;

/// The mask of one element, spelled out byte by byte.
struct Pattern {
  alignas(8) std::array<std::uint8_t, largest_block + 8> keep;
  alignas(8) std::array<std::uint8_t, largest_block + 8> forbid;

  Pattern(const Block& block, std::size_t stride, bool ascii) noexcept {
    const std::size_t bytes = block.bytes();
    for (std::size_t at = 0; at < bytes; at += 8) {
      const std::uint64_t kept = ~spread(bits_at(block.padding(), at));
      std::uint64_t forbidden = spread(bits_at(block.booleans(), at)) & bool_bits;
      if (ascii) forbidden |= spread(bits_at(block.chars(), at)) & char_bits;
      std::memcpy(keep.data() + at, &kept, 8);
      std::memcpy(forbid.data() + at, &forbidden, 8);
    }
    for (std::size_t at = bytes; at < stride; ++at) keep[at] = forbid[at] = 0;  // trailing padding
  }
  cdr::ElementMask mask(std::size_t stride) const noexcept { return {stride, keep.data(), forbid.data()}; }
};

}  // namespace

bool all_ascii(const Block& block, const void* memory) noexcept {
  const auto* from = static_cast<const std::uint8_t*>(memory);
  const std::size_t bytes = block.bytes();
  std::uint64_t bad = 0;
  for (std::size_t at = 0; at < bytes; at += 8) {
    bad |= lane(from + at, std::min<std::size_t>(8, bytes - at)) & spread(bits_at(block.chars(), at));
  }
  return (bad & char_bits) == 0;
}

unsigned copy_in(const Block& block, void* to, const std::uint8_t* from, bool ascii) noexcept {
  auto* into = static_cast<std::uint8_t*>(to);
  const std::size_t bytes = block.bytes();
  std::uint64_t chars = 0;
  std::uint64_t booleans = 0;
  for (std::size_t at = 0; at < bytes; at += 8) {
    const std::size_t here = std::min<std::size_t>(8, bytes - at);
    const std::uint64_t octets = lane(from + at, here);
    chars |= octets & spread(bits_at(block.chars(), at));
    booleans |= octets & spread(bits_at(block.booleans(), at));
    const std::uint64_t kept = octets & ~spread(bits_at(block.padding(), at));
    std::memcpy(into + at, &kept, here);
  }
  return (ascii && (chars & char_bits) != 0 ? bad_char : no_fault) |
         ((booleans & bool_bits) != 0 ? bad_bool : no_fault);
}

bool all_ascii(const Block& block, std::size_t stride, const void* memory, std::size_t bytes) noexcept {
  const Pattern pattern(block, stride, true);
  return cdr::check_masked(static_cast<const std::uint8_t*>(memory), bytes, pattern.mask(stride));
}

bool copy_in(const Block& block, std::size_t stride, void* to, const std::uint8_t* from, std::size_t bytes,
             bool ascii) noexcept {
  const Pattern pattern(block, stride, ascii);
  return cdr::copy_masked(static_cast<std::uint8_t*>(to), from, bytes, pattern.mask(stride));
}

}  // namespace tenon::marshal
