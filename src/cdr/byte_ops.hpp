// SPDX-License-Identifier: Apache-2.0
//
// Loops over many bytes: swapped copies, ASCII checks, booleans. SSE2 where the processor has it, portable
// words elsewhere. CDR is not known here. No state; any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "base/bytes.hpp"

namespace tenon::cdr {

/// copy_octets() for copies of more than `in_one_part` octets.
void copy_many_octets(void* to, const void* from, std::size_t size) noexcept;
inline constexpr std::size_t in_one_part = 2048;

/// What memcpy does; for copies that may be large. No overlap allowed; null pointers where `size` is 0 are.
inline void copy_octets(void* to, const void* from, std::size_t size) noexcept {
  if (size > in_one_part) {
    copy_many_octets(to, from, size);
  } else if (size != 0) {
    std::memcpy(to, from, size);
  }
}

/// Copies `count` elements of `size` (1, 2, 4, 8) bytes, each with its bytes reversed. No alignment needed;
/// no overlap allowed.
void copy_swapped(std::uint8_t* to, const std::uint8_t* from, std::size_t count, std::size_t size) noexcept;

/// Whether all bytes are below 0x80.
bool is_ascii(const std::uint8_t* bytes, std::size_t count) noexcept;
/// Copies all bytes and says whether all were below 0x80, in one pass.
bool copy_ascii(std::uint8_t* to, const std::uint8_t* from, std::size_t count) noexcept;
/// Copies all bytes and says whether none of them was 0, in one pass. Meant for text that is short.
bool copy_text(void* to, const void* from, std::size_t count) noexcept;
/// Whether all bytes are 0 or 1.
bool are_booleans(const std::uint8_t* bytes, std::size_t count) noexcept;

/// The lowest bits of 8 bytes (each 0 or 1), the first byte's in bit 0.
inline std::uint8_t pack_booleans(const std::uint8_t* bytes) noexcept {
  const std::uint64_t eight = load<std::uint64_t>(bytes, native_order != ByteOrder::little);
  return static_cast<std::uint8_t>((eight * 0x0102040810204080) >> 56);
}
/// The reverse: 8 bytes, each 0 or 1.
inline void unpack_booleans(std::uint8_t* to, std::uint8_t bits) noexcept {
  const std::uint64_t spread = (bits * std::uint64_t{0x0101010101010101}) & 0x8040201008040201;
  const std::uint64_t eight = ((spread + 0x7f7f7f7f7f7f7f7f) >> 7) & 0x0101010101010101;
  store(to, eight, native_order != ByteOrder::little);
}

/// Packs many: 8 bytes to each octet of `to`. False when a byte was neither 0 nor 1.
bool pack_booleans(std::uint8_t* to, const std::uint8_t* bytes, std::size_t octets) noexcept;
/// Unpacks many: 8 bytes from each octet.
void unpack_booleans(std::uint8_t* to, const std::uint8_t* octets, std::size_t count) noexcept;

}  // namespace tenon::cdr
