// SPDX-License-Identifier: Apache-2.0
//
// Addresses that are a name of the program's own, of protocols that reach no other machine. Values and views; any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace tenon::ior {

/// Octets of a name at most. An abstract name of the system takes 107 with what stands in front of it.
inline constexpr std::size_t longest_name = 100;

/// Letters, digits, '.', '_' and '-', so that a name needs no escapes in a URL.
bool is_name(std::string_view name) noexcept;

struct NamedAddress {
  std::uint8_t minor = 0;  ///< of GIOP; 0 where the text has no version
  std::string_view name;
};
/// As a corbaloc has it: "1.2@name" or "name". nullopt: it is neither.
std::optional<NamedAddress> read_named_address(std::string_view text) noexcept;

}  // namespace tenon::ior
