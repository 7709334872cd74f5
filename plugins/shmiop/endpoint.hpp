// SPDX-License-Identifier: Apache-2.0
//
// What the text of a SHMIOP endpoint says. Values; any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "net/listener.hpp"

namespace tenon::shmiop {

/// Of a name, without its '@'. The system takes 107 octets.
inline constexpr std::size_t longest_name = 100;

/// Letters, digits, '.', '_' and '-', so that a name needs no escapes in a URL.
bool is_name(std::string_view name) noexcept;

struct Endpoint {
  std::string address;  ///< "@name"
  bool fresh = false;   ///< no name was given, so it is another one each time
  net::ListenOptions options;
};

std::optional<Endpoint> read_endpoint(std::string_view text, std::string& why);

}  // namespace tenon::shmiop
