// SPDX-License-Identifier: Apache-2.0
//
// Blocks: structs whose layout in memory is that of CDR. They are moved as one piece, in one pass that zeroes padding and looks for
// octets that are not allowed. Types are not known here: masks say what each byte may hold. Compiled stubs and marshal programs share
// this code. lanes.hpp moves a single block. No state; any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/not_constant.hpp"
#include "cdr/wire_format.hpp"

namespace tenon::cdr {

class Reader;
class Writer;

/// What a byte of a block may hold. Except for padding, a mask has the bits that must not be set.
enum ByteMask : std::uint8_t {
  any_octet = 0,
  char_octet = 0x80,  ///< unless plain_chars(): then any octet is allowed
  boolean_octet = 0xFE,
  padding_octet = 0xFF,  ///< anything on the wire, zero in memory
};
/// The letter that stands for a mask in text.
struct MaskLetter {
  char letter;
  ByteMask mask;
};
inline constexpr MaskLetter mask_letters[] = {
    {'.', any_octet}, {'c', char_octet}, {'b', boolean_octet}, {'_', padding_octet}};

constexpr ByteMask mask_of(char letter) {
  for (const MaskLetter& one : mask_letters) {
    if (one.letter == letter) return one.mask;
  }
  not_constant("any octet is '.', a char 'c', a boolean 'b', padding '_'");
  return any_octet;
}

/// The masks of a block of `Bytes` bytes, from letters.
template <std::size_t Bytes>
struct Masks {
  std::uint8_t bytes[(Bytes + 7) / 8 * 8]{};
  consteval Masks(const char (&letters)[Bytes + 1]) {
    for (std::size_t i = 0; i < Bytes; ++i) bytes[i] = mask_of(letters[i]);
  }
};

/// Whether every octet is a valid char: only if both sides use ISO 8859-1.
inline bool plain_chars(const WireFormat& format) noexcept {
  return format.chars == CodeSet::iso8859_1 && format.native.chars == CodeSet::iso8859_1;
}

struct EnumerationAt {
  std::uint32_t offset;
  std::uint32_t enumerators;
};

struct Block {
  static constexpr std::size_t largest = 1024;  ///< bytes of a block with masks

  std::size_t size;   ///< in memory, from one value to the next
  std::size_t bytes;  ///< without trailing padding
  std::size_t align;
  bool has_chars = false;
  /// A ByteMask for each byte, and up to a multiple of eight bytes more that are not looked at. Null: any octets will do.
  const std::uint8_t* masks = nullptr;
  std::span<const EnumerationAt> enumerations{};  ///< checked in what a peer sent

  /// Bytes of `count` values side by side, without the last one's trailing padding.
  std::size_t bytes_of(std::size_t count) const noexcept { return (count - 1) * size + bytes; }
};

/// Copies `count` blocks, at least one, the last one without its trailing padding. False when an octet was not allowed (and then
/// everything has been copied all the same). No overlap; no alignment needed.
bool copy_blocks(const Block& block, void* to, const void* from, std::size_t count, bool all_chars) noexcept;
/// Whether copy_blocks() would find every octet allowed.
bool check_blocks(const Block& block, const void* from, std::size_t count, bool all_chars) noexcept;

/// Writes `count` blocks, at least one. Memory that is lent is only checked. Never called while the writer swaps().
void put_blocks(Writer& out, const Block& block, const void* values, std::size_t count) noexcept;
/// Reads `count` blocks, at least one, to memory that has room for them; it is zero after an error. Never called unless the reader is
/// block_readable().
void get_blocks(Reader& in, const Block& block, void* values, std::size_t count) noexcept;
/// The same from `octets`, which the reader has passed. Where every octet is a valid boolean (compatibility.hpp), nonzero ones become 1.
void take_blocks(Reader& in, const Block& block, void* values, const std::uint8_t* octets,
                 std::size_t count) noexcept;

}  // namespace tenon::cdr
