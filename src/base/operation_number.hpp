// SPDX-License-Identifier: Apache-2.0
//
// A number in place of an operation's name, as it stands on the wire: decimal digits, with which no name in IDL begins. One that a
// reference has offered (ior::OperationNumbers) carries the check of that offer behind a point, "17.x7Qz": whoever has other numbers
// by now sees that it is not meant. No state; safe from any thread.
#pragma once

#include <array>
#include <cstring>
#include <string_view>

#include "base/bytes.hpp"

namespace tenon {

using NumberCheck = std::array<char, 4>;

struct OperationNumberText {
  char text[10];  // five digits, the point, the check
  std::uint32_t size = 0;

  /// False: no operation has so large a number.
  bool write(std::uint32_t number, const NumberCheck& check) noexcept {
    if (number > 0xFFFF) return false;
    std::uint32_t digits = number < 10 ? 1 : number < 100 ? 2 : number < 1000 ? 3 : number < 10000 ? 4 : 5;
    size = digits + 5;
    text[digits] = '.';
    std::memcpy(text + digits + 1, check.data(), check.size());
    do {
      text[--digits] = static_cast<char>('0' + number % 10);
      number /= 10;
    } while (digits != 0);
    return true;
  }
  std::string_view view() const noexcept { return {text, size}; }
};

inline constexpr std::size_t no_operation_number = ~std::size_t{0};

/// Whether a number stands there, not a name.
inline bool is_operation_number(std::string_view text) noexcept {
  return !text.empty() && static_cast<std::uint8_t>(text[0]) <= '9';
}
/// Whether it carries a check.
inline bool is_offered_number(std::string_view text) noexcept {
  return text.size() > 5 && is_operation_number(text) && text[text.size() - 5] == '.';
}

/// The number, if it carries that check or none. Otherwise, and with leading zeros: no_operation_number.
inline std::size_t read_operation_number(std::string_view text, const NumberCheck& check) noexcept {
  if (is_offered_number(text)) {
    if (std::memcmp(text.data() + text.size() - 4, check.data(), 4) != 0) return no_operation_number;
    text.remove_suffix(5);
  }
  if (text.empty() || text.size() > 5 || (text.size() > 1 && text[0] == '0')) return no_operation_number;
  std::size_t number = 0;
  for (const char digit : text) {
    if (digit < '0' || digit > '9') return no_operation_number;
    number = number * 10 + static_cast<std::size_t>(digit - '0');
  }
  return number;
}

}  // namespace tenon
