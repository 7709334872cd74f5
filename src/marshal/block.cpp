// SPDX-License-Identifier: Apache-2.0
#include "marshal/block.hpp"

#include <algorithm>
#include <array>

#include "cdr/compatibility.hpp"
#include "cdr/masked_copy.hpp"

namespace tenon::marshal {

namespace {

/// The masks of one element, spelled out.
struct Pattern {
  std::size_t size;
  std::array<std::uint8_t, largest_block + 16> keep;
  std::array<std::uint8_t, largest_block + 16> forbid;

  Pattern(const Block& block, std::size_t stride, bool all_chars) noexcept : size(stride) {
    std::fill_n(keep.data(), stride, std::uint8_t{0});  // trailing padding
    std::fill_n(forbid.data(), stride, std::uint8_t{0});
    for (std::size_t at = 0; at < block.bytes(); ++at) {
      const std::uint8_t mask = block.masks()[at];
      if (mask == padding_octet) continue;
      keep[at] = 0xFF;
      if (mask != char_octet || !all_chars) forbid[at] = mask;
    }
  }
  cdr::ElementMask mask() const noexcept { return {size, keep.data(), forbid.data()}; }
};

}  // namespace

bool mend_booleans(const Block& block, void* memory, bool all_chars) noexcept {
  if (!cdr::is_on(cdr::compatibility().any_octet_is_boolean)) return false;
  auto* const octets = static_cast<std::uint8_t*>(memory);
  for (std::size_t at = 0; at < block.bytes(); ++at) {
    if (block.masks()[at] == boolean_octet && octets[at] != 0) octets[at] = 1;
  }
  return copy_in(block, memory, octets, all_chars);
}

bool enumerations_good(const Block& block, const std::byte* first) noexcept {
  const std::byte* base = first - offset_of(*block.parts());
  bool good = true;
  for (const Word* part = block.parts(); part != block.after(); part = next(part)) {
    if (op_of(*part) != Op::enumeration) continue;
    std::uint32_t value;
    std::memcpy(&value, base + offset_of(*part), sizeof value);
    good &= value < part[1];
  }
  return good;
}

bool check_run(const Block& block, std::size_t stride, const void* memory, std::size_t bytes,
               bool all_chars) noexcept {
  const Pattern pattern(block, stride, all_chars);
  return cdr::check_masked(static_cast<const std::uint8_t*>(memory), bytes, pattern.mask());
}

bool copy_run(const Block& block, std::size_t stride, void* to, const void* from, std::size_t bytes,
              bool all_chars) noexcept {
  const Pattern pattern(block, stride, all_chars);
  return cdr::copy_masked(static_cast<std::uint8_t*>(to), static_cast<const std::uint8_t*>(from), bytes,
                          pattern.mask());
}

}  // namespace tenon::marshal
