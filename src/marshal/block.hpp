// SPDX-License-Identifier: Apache-2.0
//
// Blocks: runs of fixed-size parts whose memory is their CDR (program.hpp). Eight bytes at a time for one block, whole vectors for
// many side by side. No state; any thread.
#pragma once

#include <cstring>

#include "base/bytes.hpp"
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
  const Word* parts() const noexcept { return at_ + 3 + mask_words(bytes()); }
  /// Behind the last part.
  const Word* after() const noexcept { return parts() + (at_[2] >> 8); }

  /// The ByteMasks of eight bytes from `byte` (a multiple of 8) on, as they lie in memory.
  std::uint64_t mask(std::size_t byte) const noexcept {
    const Word* words = at_ + 3 + byte / 4;
    const std::uint64_t lane = std::uint64_t{words[1]} << 32 | words[0];
    return native_order == ByteOrder::little ? lane : __builtin_bswap64(lane);
  }

 private:
  const Word* at_;
};

/// Eight bytes of a block against their masks.
struct Lane {
  static constexpr std::uint64_t ones = 0x0101010101010101;

  /// Both with all bits of a padding byte.
  static std::uint64_t padding(std::uint64_t mask) noexcept { return (mask & ones) * 0xFF; }
  /// The bits that must not be set. With `all_chars` chars may have any.
  static std::uint64_t forbidden(std::uint64_t mask, bool all_chars) noexcept {
    if (all_chars) return ((mask & ~padding(mask)) >> 1 & ones) * boolean_octet;
    return mask & ~padding(mask);
  }
};

/// Copies one block to the wire; false when an octet is not allowed there.
bool copy_out(const Block& block, std::uint8_t* to, const void* memory, bool all_chars) noexcept;
/// One block from the wire; zeroes padding; false when an octet is not allowed. Enumerations are not looked at.
bool copy_in(const Block& block, void* to, const std::uint8_t* from, bool all_chars) noexcept;

/// The same for elements of `stride` bytes side by side, `bytes` bytes of them.
bool check_run(const Block& block, std::size_t stride, const void* memory, std::size_t bytes,
               bool all_chars) noexcept;
bool copy_in(const Block& block, std::size_t stride, void* to, const std::uint8_t* from, std::size_t bytes,
             bool all_chars) noexcept;

}  // namespace tenon::marshal
