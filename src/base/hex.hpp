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

/// Text from a peer for a terminal: whatever is not printable ASCII is escaped as \xhh.
std::string printable(std::string_view text);
/// Octets that may be text, such as an object key, in words: "4 octets, 'Calc'" or "2 octets, 00ff"; cut where they get long.
std::string octets_in_words(ByteView octets);

}  // namespace tenon
