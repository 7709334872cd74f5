// SPDX-License-Identifier: Apache-2.0
//
// What the text of an IIOP endpoint says, and which addresses of it go into references. Values; any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "net/address.hpp"
#include "net/listener.hpp"

namespace tenon::iiop {

struct Endpoint {
  net::HostPort listen;
  std::vector<net::HostPort> publish;  ///< port 0: the one listened on
  net::ListenOptions options;
  bool keep_alive = true;
};

std::optional<Endpoint> read_endpoint(std::string_view text, std::string& why);

/// The socket addresses to try for listening, in order. Empty: see `why`.
std::vector<net::SocketAddress> listen_addresses(const Endpoint& endpoint, std::string& why);

/// "host:port" per published address, never a wildcard. `bound` is what the socket really listens on, `interfaces` what this machine
/// has (net::interface_addresses()). What the user asked for wins; a host that was given stays as given; a wildcard becomes the
/// first interface of each family that the socket serves, or loopback on a machine without network.
std::vector<std::string> published_addresses(const Endpoint& endpoint, const net::SocketAddress& bound,
                                             const std::vector<net::SocketAddress>& interfaces);

/// The endpoint as text again, with the real port.
std::string endpoint_text(const Endpoint& endpoint, const net::SocketAddress& bound);

}  // namespace tenon::iiop
