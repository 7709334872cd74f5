// SPDX-License-Identifier: Apache-2.0
//
// What the text of a SHMIOP endpoint says. Values; any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "ior/named_address.hpp"
#include "net/listener.hpp"

namespace tenon::shmiop {

// Of a name, without its '@'.
using ior::is_name;
using ior::longest_name;

struct Endpoint {
  std::string address;  ///< "@name"
  bool fresh = false;   ///< no name was given, so it is another one each time
  net::ListenOptions options;
};

std::optional<Endpoint> read_endpoint(std::string_view text, std::string& why);

}  // namespace tenon::shmiop
