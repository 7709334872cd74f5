// SPDX-License-Identifier: Apache-2.0
#include "marshal/block.hpp"

#include <algorithm>
#include <array>

#include "cdr/masked_copy.hpp"

namespace tenon::marshal {

namespace {

std::uint64_t load_lane(const std::uint8_t* from, std::size_t bytes) noexcept {
  std::uint64_t value = 0;
  std::memcpy(&value, from, bytes);
  return value;
}

/// One block in lanes of eight bytes and a last one of fewer. `each(at, size, mask)`.
template <typename Each>
void for_lanes(const Block& block, Each each) noexcept {
  const std::size_t bytes = block.bytes();
  std::size_t at = 0;
  for (; at + 8 <= bytes; at += 8) each(at, std::integral_constant<std::size_t, 8>(), block.mask(at));
  if (at != bytes) each(at, bytes - at, block.mask(at));
}

/// The masks of one element, spelled out.
struct Pattern {
  alignas(8) std::array<std::uint8_t, largest_block + 16> keep;
  alignas(8) std::array<std::uint8_t, largest_block + 16> forbid;

  Pattern(const Block& block, std::size_t stride, bool all_chars) noexcept {
    std::size_t at = 0;
    for (; at < block.bytes(); at += 8) {
      const std::uint64_t mask = block.mask(at);
      const std::uint64_t kept = ~Lane::padding(mask);
      const std::uint64_t forbidden = Lane::forbidden(mask, all_chars);
      std::memcpy(keep.data() + at, &kept, 8);
      std::memcpy(forbid.data() + at, &forbidden, 8);
    }
    for (at = block.bytes(); at < stride; ++at) keep[at] = forbid[at] = 0;  // trailing padding
  }
  cdr::ElementMask mask(std::size_t stride) const noexcept { return {stride, keep.data(), forbid.data()}; }
};

}  // namespace

bool copy_out(const Block& block, std::uint8_t* to, const void* memory, bool all_chars) noexcept {
  const auto* from = static_cast<const std::uint8_t*>(memory);
  std::uint64_t bad = 0;
  for_lanes(block, [&](std::size_t at, auto size, std::uint64_t mask) {
    const std::uint64_t octets = load_lane(from + at, size);
    bad |= octets & Lane::forbidden(mask, all_chars);
    std::memcpy(to + at, &octets, size);
  });
  return bad == 0;
}

bool copy_in(const Block& block, void* to, const std::uint8_t* from, bool all_chars) noexcept {
  auto* into = static_cast<std::uint8_t*>(to);
  std::uint64_t bad = 0;
  for_lanes(block, [&](std::size_t at, auto size, std::uint64_t mask) {
    const std::uint64_t octets = load_lane(from + at, size);
    bad |= octets & Lane::forbidden(mask, all_chars);
    const std::uint64_t kept = octets & ~Lane::padding(mask);
    std::memcpy(into + at, &kept, size);
  });
  return bad == 0;
}

bool check_run(const Block& block, std::size_t stride, const void* memory, std::size_t bytes,
               bool all_chars) noexcept {
  const Pattern pattern(block, stride, all_chars);
  return cdr::check_masked(static_cast<const std::uint8_t*>(memory), bytes, pattern.mask(stride));
}

bool copy_in(const Block& block, std::size_t stride, void* to, const std::uint8_t* from, std::size_t bytes,
             bool all_chars) noexcept {
  const Pattern pattern(block, stride, all_chars);
  return cdr::copy_masked(static_cast<std::uint8_t*>(to), from, bytes, pattern.mask(stride));
}

}  // namespace tenon::marshal
