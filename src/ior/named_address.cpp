// SPDX-License-Identifier: Apache-2.0
#include "ior/named_address.hpp"

#include <algorithm>

namespace tenon::ior {

bool is_name(std::string_view name) noexcept {
  const auto allowed = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
           c == '_' || c == '-';
  };
  return !name.empty() && name.size() <= longest_name && std::ranges::all_of(name, allowed);
}

std::optional<NamedAddress> read_named_address(std::string_view text) noexcept {
  NamedAddress address{0, text};
  const bool versioned = text.size() > 3 && text.starts_with("1.") && text[3] == '@';
  if (versioned && text[2] >= '0' && text[2] <= '9')
    address = {static_cast<std::uint8_t>(text[2] - '0'), text.substr(4)};
  if (!is_name(address.name)) return std::nullopt;
  return address;
}

}  // namespace tenon::ior
