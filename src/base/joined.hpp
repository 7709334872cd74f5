// SPDX-License-Identifier: Apache-2.0
//
// Texts, one behind the other: for messages that are written seldom, so that they cost few octets of code. Any thread.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

namespace tenon {

std::string joined(std::initializer_list<std::string_view> texts);

/// The pattern with the texts in place of each '%', in their order: worded("option %: wants %", {name, argument}). Fewer octets than
/// joined(), which needs each piece of the sentence by itself.
std::string worded(const char* pattern, std::initializer_list<std::string_view> texts);

/// What std::to_string() makes, which is code of its own for each type of number.
std::string decimal(std::int64_t number);
std::string decimal_unsigned(std::uint64_t number);
template <std::unsigned_integral T>
std::string decimal(T number) {
  return decimal_unsigned(number);
}

/// The front of a text, at most so many octets. A character of UTF-8 that they would cut is left out.
std::string_view beginning(std::string_view text, std::size_t most) noexcept;

}  // namespace tenon
