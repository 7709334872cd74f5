// SPDX-License-Identifier: Apache-2.0
//
// Blocks: runs of fixed-size parts whose memory is their CDR (program.hpp). Eight bytes at a time for one block, whole vectors for
// many side by side. No state; any thread.
#pragma once

#include <cstring>

#include "cdr/masked_copy.hpp"
#include "marshal/program.hpp"

namespace tenon::marshal {

/// The operands of a block.
class Block {
 public:
  explicit Block(const Word* at) noexcept : at_(at) {}

  std::size_t bytes() const noexcept { return at_[1]; }
  std::size_t align() const noexcept { return std::size_t{1} << (at_[2] & block_align_mask); }
  bool has_chars() const noexcept { return (at_[2] & block_characters) != 0; }
  bool has_enumerations() const noexcept { return (at_[2] & block_enumerations) != 0; }
  bool repeats() const noexcept { return (at_[2] & block_repeats) != 0; }
  const Word* parts() const noexcept { return chars() + 3 * bitmap_words(bytes()); }
  /// Behind the last part.
  const Word* after() const noexcept { return parts() + (at_[2] >> 8); }

  const Word* chars() const noexcept { return at_ + 3; }
  const Word* booleans() const noexcept { return chars() + bitmap_words(bytes()); }
  const Word* padding() const noexcept { return booleans() + bitmap_words(bytes()); }

 private:
  const Word* at_;
};

/// 0xFF in each byte whose bit is set.
inline std::uint64_t spread(std::uint32_t bits) noexcept {
  const std::uint64_t each = (std::uint64_t{bits & 0xFF} * 0x0101010101010101) & 0x8040201008040201;
  const std::uint64_t ones = ((each + 0x7f7f7f7f7f7f7f7f) >> 7) & 0x0101010101010101;
  if constexpr (native_order == ByteOrder::little) return ones * 0xFF;
  return __builtin_bswap64(ones * 0xFF);
}
inline std::uint32_t bits_at(const Word* bitmap, std::size_t byte) noexcept {
  return bitmap[byte / 32] >> (byte % 32);
}

/// What is wrong with the octets of a block: bits of it or-ed.
enum Fault : unsigned { no_fault = 0, bad_char = 1, bad_bool = 2 };

/// Looks for chars above 0x7F (where `ascii`).
bool all_ascii(const Block& block, const void* memory) noexcept;
/// From the wire: zeroes padding; says what is wrong. Enumerations are not looked at.
unsigned copy_in(const Block& block, void* to, const std::uint8_t* from, bool ascii) noexcept;
/// `bytes` bytes of elements of `stride` bytes side by side.
bool all_ascii(const Block& block, std::size_t stride, const void* memory, std::size_t bytes) noexcept;
bool copy_in(const Block& block, std::size_t stride, void* to, const std::uint8_t* from, std::size_t bytes,
             bool ascii) noexcept;

}  // namespace tenon::marshal
