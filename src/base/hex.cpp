// SPDX-License-Identifier: Apache-2.0
//
// Hexadecimal text. No state; any thread.
#include "base/hex.hpp"

#include <algorithm>

#include "base/joined.hpp"

namespace tenon {
namespace {

constexpr std::string_view digits = "0123456789abcdef";

void append_byte(std::string& out, std::uint8_t byte) {
  out += digits[byte >> 4];
  out += digits[byte & 15];
}

}  // namespace

std::string hex_number(std::uint64_t value, unsigned width) {
  std::string out;
  do {
    out += digits[value & 15];
    value >>= 4;
  } while (value != 0);
  while (out.size() < width) out += '0';
  std::reverse(out.begin(), out.end());
  return out;
}

std::string to_hex(ByteView bytes) {
  std::string out;
  out.reserve(bytes.size() * 2);
  for (const std::uint8_t byte : bytes) append_byte(out, byte);
  return out;
}

bool from_hex(std::string_view text, std::vector<std::uint8_t>& into) {
  if (text.size() % 2 != 0) return false;
  for (const char c : text) {
    if (hex_digit(c) < 0) return false;
  }
  into.reserve(into.size() + text.size() / 2);
  for (std::size_t i = 0; i < text.size(); i += 2) {
    into.push_back(static_cast<std::uint8_t>(hex_digit(text[i]) * 16 + hex_digit(text[i + 1])));
  }
  return true;
}

std::string hex_dump(ByteView bytes) {
  constexpr std::size_t per_line = 16;
  std::string out;
  for (std::size_t line = 0; line < bytes.size(); line += per_line) {
    out += hex_number(line, 6);
    out += ' ';
    const ByteView row = bytes.subspan(line, std::min(per_line, bytes.size() - line));
    for (std::size_t i = 0; i < per_line; ++i) {
      if (i % 8 == 0) out += ' ';
      if (i < row.size()) {
        append_byte(out, row[i]);
        out += ' ';
      } else {
        out += "   ";
      }
    }
    out += " |";
    for (const std::uint8_t byte : row) out += byte >= 0x20 && byte < 0x7f ? static_cast<char>(byte) : '.';
    out += "|\n";
  }
  return out;
}

std::string printable(std::string_view text) {
  std::string out;
  for (const char letter : text) {
    if (letter >= ' ' && letter <= '~' && letter != '\\') {
      out += letter;
    } else {
      out += "\\x" + hex_number(static_cast<unsigned char>(letter), 2);
    }
  }
  return out;
}

std::string octets_in_words(ByteView octets) {
  constexpr std::size_t most = 64;
  std::string out = decimal(octets.size()) + (octets.size() == 1 ? " octet" : " octets");
  if (octets.empty()) return out;
  const ByteView shown = octets.first(std::min(octets.size(), most));
  const bool text =
      std::all_of(shown.begin(), shown.end(), [](std::uint8_t c) { return c >= ' ' && c <= '~'; });
  if (text) {
    out += ", '" + printable({reinterpret_cast<const char*>(shown.data()), shown.size()}) + '\'';
  } else {
    out += ", " + to_hex(shown);
  }
  if (shown.size() < octets.size()) out += "...";
  return out;
}

}  // namespace tenon
