// SPDX-License-Identifier: Apache-2.0
//
// What the text of a UIOP endpoint says. Values; any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "net/listener.hpp"

namespace tenon::uiop {

/// What omniORB calls such endpoints. Their sockets stand in IIOP profiles too, as its clients want it.
inline constexpr std::string_view omniorb_scheme = "giop:unix:";

struct Endpoint {
  std::string path;         ///< absolute, or "@name"
  bool fresh = false;       ///< no path was given, so it is another one in each process
  bool as_omniorb = false;  ///< written with omniorb_scheme
  net::ListenOptions options;
};

std::optional<Endpoint> read_endpoint(std::string_view text, std::string& why);

}  // namespace tenon::uiop
