// SPDX-License-Identifier: Apache-2.0
//
// Copies structs whose memory is their CDR, in one pass that zeroes padding and looks for octets that are not allowed. Knows no
// types: what is padding and what is allowed are bit patterns of one element, which repeat. No state; any thread.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace tenon::cdr {

/// The pattern of one element of up to `largest` bytes: octets are and-ed with `keep`; bits of `forbid` must not be set.
/// keep is 0xFF or, at padding, 0; forbid is 0xFE at a boolean, 0x80 at a char that must be ASCII.
struct ElementMask {
  static constexpr std::size_t largest = 1024;
  std::size_t size = 0;
  const std::uint8_t* keep = nullptr;
  const std::uint8_t* forbid = nullptr;
};

/// Copies `bytes` bytes of elements side by side, the last one perhaps without its trailing padding. False when a forbidden bit was
/// set (and then everything has been copied all the same); where every octet is a boolean (compatibility.hpp), those become 1. No overlap; no alignment wanted.
bool copy_masked(std::uint8_t* to, const std::uint8_t* from, std::size_t bytes,
                 const ElementMask& mask) noexcept;

/// Whether no forbidden bit is set.
bool check_masked(const std::uint8_t* from, std::size_t bytes, const ElementMask& mask) noexcept;

}  // namespace tenon::cdr
