// SPDX-License-Identifier: Apache-2.0
//
// A number in place of an operation's name, as it is sent: decimal digits, with which no name in IDL begins. A number that a reference
// has offered (ior::OperationNumbers) has four digits, followed by the check of that offer, as in "0017x7Qz": so a server whose numbers
// have changed since the offer finds out. It has eight octets, so that both sides handle it as one word. No state; safe from any
// thread.
#pragma once

#include <array>
#include <string_view>

#include "base/bytes.hpp"

namespace tenon {

using NumberCheck = std::array<char, 4>;

/// The largest number that can be offered.
inline constexpr std::uint32_t largest_operation_number = 9999;

namespace operation_number_detail {
// Words as if in little-endian memory: the first character is the lowest octet.
inline constexpr bool swap = native_order == ByteOrder::big;
inline std::uint32_t word(const void* text) noexcept {
  return load<std::uint32_t>(static_cast<const std::uint8_t*>(text), swap);
}
}  // namespace operation_number_detail

struct OperationNumberText {
  std::array<std::uint8_t, 8> text;

  void write(std::uint32_t number, const NumberCheck& check) noexcept {
    const std::uint32_t hundreds = number / 100;
    const std::uint32_t pairs = hundreds | (number - hundreds * 100) << 16;
    const std::uint32_t tens = (pairs * 103 >> 10) & 0x000F000F;  // of both pairs: neither is above 99
    const std::uint32_t digits = (tens | (pairs - tens * 10) << 8) + 0x30303030;
    const std::uint64_t high = operation_number_detail::word(check.data());
    store<std::uint64_t>(text.data(), high << 32 | digits, operation_number_detail::swap);
  }
  std::string_view view() const noexcept { return {reinterpret_cast<const char*>(text.data()), text.size()}; }
};

inline constexpr std::size_t no_operation_number = ~std::size_t{0};

/// Whether the text is a number, not a name.
inline bool is_operation_number(std::string_view text) noexcept {
  return !text.empty() && static_cast<std::uint8_t>(text[0]) <= '9';
}
/// Whether it carries a check.
inline bool is_offered_number(std::string_view text) noexcept {
  return text.size() == 8 && is_operation_number(text);
}

/// Reads a number without a check: up to five digits without leading zeros.
inline std::size_t read_plain_number(std::string_view text) noexcept {
  if (text.empty() || text.size() > 5 || (text.size() > 1 && text[0] == '0')) return no_operation_number;
  std::size_t number = 0;
  for (const char digit : text) {
    if (digit < '0' || digit > '9') return no_operation_number;
    number = number * 10 + static_cast<std::size_t>(digit - '0');
  }
  return number;
}

/// The number, if it carries that check or none; otherwise no_operation_number.
inline std::size_t read_operation_number(std::string_view text, const NumberCheck& check) noexcept {
  using operation_number_detail::word;
  if (text.size() != 8) return read_plain_number(text);
  const std::uint32_t digits = word(text.data());
  const bool decimal = ((digits & (digits + 0x06060606)) & 0xF0F0F0F0) == 0x30303030;
  if (!decimal || word(text.data() + 4) != word(check.data())) return no_operation_number;
  const std::uint32_t values = digits & 0x0F0F0F0F;
  const std::uint32_t pairs = values * 10 + (values >> 8);
  return (pairs & 0xFF) * 100 + (pairs >> 16 & 0xFF);
}

}  // namespace tenon
