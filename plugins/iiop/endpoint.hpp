// SPDX-License-Identifier: Apache-2.0
//
// What the text of an IIOP endpoint says, and which addresses of it go into references. Values; any thread.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "net/address.hpp"
#include "net/listener.hpp"
#include "plugins/stream/stream_transport.hpp"
#include "protocol/transport.hpp"

namespace tenon::iiop {

class Names;

struct Endpoint {
  net::HostPort listen;
  std::uint16_t last_port = 0;         ///< of a range that begins with listen.port; 0: that is the only one
  std::optional<std::uint8_t> minor;   ///< the highest of GIOP in references
  std::vector<net::HostPort> publish;  ///< port 0: the one listened on
  net::ListenOptions options;
  bool keep_alive = true;
};

using KeptOptions = std::shared_ptr<const protocol::TransportOptions>;

/// How endpoints are read that say more than a host and a port, and what the ORB's options add to any endpoint.
struct EndpointOptions {
  std::optional<Endpoint> (*read)(std::string_view text, std::string& why);
  KeptOptions (*keep)(const protocol::TransportOptions& options);
  /// Sets which addresses are published and which peers are served. `options`: null if the plug-in was told none.
  void (*apply)(const Endpoint& endpoint, const net::SocketAddress& bound,
                const std::vector<net::SocketAddress>& interfaces, const KeptOptions& options,
                stream::StreamAcceptor::Settings& into);
};
extern const EndpointOptions endpoint_options;

/// "iiop://host:port", "giop:tcp:host:port"
std::optional<Endpoint> read_plain_endpoint(std::string_view text, std::string& why);
std::optional<Endpoint> read_endpoint(std::string_view text, std::string& why);

/// The socket addresses to try for listening, in order. Empty: see `why`. `names`: null if hosts must be in numbers.
std::vector<net::SocketAddress> listen_addresses(const Endpoint& endpoint, Names* names, std::string& why);

/// Listens on the first port of the endpoint's that can be had. False: `why` says of the last one why not.
bool listen_on(const Endpoint& endpoint, Names* names, net::Listener& listener, std::string& why);

/// What references have, "host:port" each: published_addresses() as far as the ORB's options want them, and what those add.
std::vector<std::string> addresses_in_references(const Endpoint& endpoint, const net::SocketAddress& bound,
                                                 const std::vector<net::SocketAddress>& interfaces,
                                                 const protocol::TransportOptions& options);

/// Of an endpoint that does not say what to publish, as published_addresses() says. `published` has room for most_own_addresses more.
inline constexpr std::size_t most_own_addresses = 2;
void add_own_addresses(std::vector<std::string>& published, const Endpoint& endpoint,
                       const net::SocketAddress& bound, const std::vector<net::SocketAddress>& interfaces);
/// "host:port" per published address, never a wildcard. `bound` is what the socket really listens on, `interfaces` what this machine
/// has (net::interface_addresses()). What the user asked for wins; a host that was given stays as given; a wildcard becomes the
/// first interface of each family that the socket serves, or loopback on a machine without network.
std::vector<std::string> published_addresses(const Endpoint& endpoint, const net::SocketAddress& bound,
                                             const std::vector<net::SocketAddress>& interfaces);

/// The endpoint as text again, with the real port.
std::string endpoint_text(const Endpoint& endpoint, const net::SocketAddress& bound);

}  // namespace tenon::iiop
