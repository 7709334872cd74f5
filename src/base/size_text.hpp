// SPDX-License-Identifier: Apache-2.0
//
// Sizes as options have them: a number of octets, with k, M or G behind it for powers of 1024, in any capitals. Pure; any thread.
#pragma once

#include <charconv>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

namespace tenon {

/// None: the text is something else, or the number is larger than 2^64 - 1.
inline std::optional<std::uint64_t> read_size_text(std::string_view text) noexcept {
  constexpr std::string_view units = "kKmMgG";
  const std::size_t unit = text.empty() ? std::string_view::npos : units.find(text.back());
  const std::size_t shift = unit == std::string_view::npos ? 0 : (unit / 2 + 1) * 10;
  if (shift != 0) text.remove_suffix(1);
  std::uint64_t number = 0;
  const char* const end = std::to_address(text.end());
  const auto [stop, code] = std::from_chars(std::to_address(text.begin()), end, number);
  if (code != std::errc() || stop != end || ((number << shift) >> shift) != number) return std::nullopt;
  return number << shift;
}

}  // namespace tenon
