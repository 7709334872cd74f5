// SPDX-License-Identifier: Apache-2.0
//
// Bytes and numbers as hexadecimal text and back. Allocates; not for hot paths.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.hpp"

namespace tenon {

/// The value of a hexadecimal digit, or -1.
constexpr int hex_digit(char c) noexcept {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

/// Lower case, at least `width` digits, without a prefix.
std::string hex_number(std::uint64_t value, unsigned width = 1);
/// Two lower-case digits per byte, nothing between them.
std::string to_hex(ByteView bytes);
/// Appends the bytes of `text` (pairs of digits, nothing between them); false and `into` unchanged if it is
/// malformed.
bool from_hex(std::string_view text, std::vector<std::uint8_t>& into);
/// 16 bytes a line: offset, bytes, printable characters. For logs and failing tests.
std::string hex_dump(ByteView bytes);

}  // namespace tenon
