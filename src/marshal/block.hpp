// SPDX-License-Identifier: Apache-2.0
//
// Blocks of programs: fixed-size parts side by side whose memory is their CDR (cdr/block.hpp). No state; any thread.
#pragma once

#include <cstring>

#include "cdr/lanes.hpp"
#include "marshal/forms.hpp"
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
  /// The word behind the last part.
  const Word* after() const noexcept { return parts() + (at_[2] >> 8); }

  /// A ByteMask for each byte.
  const std::uint8_t* masks() const noexcept { return reinterpret_cast<const std::uint8_t*>(at_ + 3); }
  /// The block of values of `size` bytes each. Its enumerations are checked by enumerations_good().
  cdr::Block in_memory(std::size_t size) const noexcept {
    return {size, bytes(), align(), has_chars(), masks(), {}};
  }

  bool copy_out(std::uint8_t* to, const void* memory, bool all_chars) const noexcept {
    return cdr::copy_out(masks(), bytes(), to, memory, all_chars);
  }
  bool copy_in(void* memory, const std::uint8_t* from, bool all_chars) const noexcept {
    return cdr::copy_in(masks(), bytes(), memory, from, all_chars);
  }

 private:
  const Word* at_;
};

/// The instruction after `at`, blocks as a whole.
inline const Word* past(const Word* at) noexcept {
  return op_of(*at) == Op::block ? Block(at).after() : at + lengths[*at & 0xFF];
}

/// Whether the enumerations of a block that a peer sent are enumerators of their types. `first`: the block's first byte.
inline bool enumerations_good(const Block& block, const std::byte* first) noexcept {
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

}  // namespace tenon::marshal
