// SPDX-License-Identifier: Apache-2.0
//
// Endpoints that are a host and a port.
#include <span>

#include "base/joined.hpp"
#include "cdr/value_memory.hpp"
#include "ior/iiop_profile.hpp"
#include "plugins/iiop/endpoint.hpp"
#include "plugins/iiop/plugin.hpp"
#include "protocol/endpoint_text.hpp"

namespace tenon::iiop {

std::optional<Endpoint> read_plain_endpoint(std::string_view text, std::string& why) {
  std::string_view address = text;
  for (const std::string_view prefix : {"iiop://", "giop:tcp:"}) {
    if (text.starts_with(prefix)) address.remove_prefix(prefix.size());
  }
  std::optional<Endpoint> endpoint(std::in_place);
  std::string reason;
  auto listen = net::parse_host_port(address, 0, reason);
  if (listen) {
    endpoint->listen = std::move(*listen);
    // No host at all means all addresses, IPv4 too; [::] means IPv6 only.
    endpoint->options.only_v6 = !endpoint->listen.host.empty();
    return endpoint;
  }
  why = protocol::endpoint_error(text, reason);
  // A version, a range of ports or options.
  if (address.find_first_of("/@-") != std::string_view::npos)
    why.append(
        "; for more than a host and a port, the program's start-up must name tenon::parts::endpoint_options");
  endpoint.reset();
  return endpoint;
}

bool listen_on(const Endpoint& endpoint, Names* names, net::Listener& listener, std::string& why) {
  std::vector<net::SocketAddress> addresses = listen_addresses(endpoint, names, why);
  const unsigned first = endpoint.listen.port;
  const unsigned last = endpoint.last_port == 0 ? first : endpoint.last_port;
  for (unsigned port = first; port <= last && !addresses.empty(); ++port) {
    for (net::SocketAddress& address : addresses) address.set_port(static_cast<std::uint16_t>(port));
    if (listener.open_any(addresses, endpoint.options, why)) return true;
  }
  if (first != last) {
    why = worded("of the ports from % to % none can be had; of the last one: %",
                 {decimal(first), decimal(last), why});
  }
  return false;
}

std::vector<net::SocketAddress> listen_addresses(const Endpoint& endpoint, Names* names, std::string& why) {
  if (!endpoint.listen.host.empty() && names != nullptr) return names->own_addresses(endpoint.listen, why);
  // One IPv6 socket takes IPv4 too; the IPv4 one is for machines without IPv6.
  const std::string_view hosts[] = {"::", "0.0.0.0", endpoint.listen.host};
  const bool all = endpoint.listen.host.empty();
  std::vector<net::SocketAddress> found;
  for (const std::string_view host : std::span(hosts).subspan(all ? 0 : 2, all ? 2 : 1)) {
    if (const auto address = net::numeric_address(host, endpoint.listen.port))
      static_cast<void>(cdr::append(found, *address));
  }
  if (found.empty())
    why = all ? "this machine has neither IPv4 nor IPv6"
          : net::in_numbers(endpoint.listen.host)
              ? "this is no address of a host"
              : "write the host in numbers: this program's start-up does not "
                "name tenon::parts::host_names";
  return found;
}

void add_own_addresses(std::vector<std::string>& published, const Endpoint& endpoint,
                       const net::SocketAddress& bound, const std::vector<net::SocketAddress>& interfaces) {
  const std::uint16_t port = bound.port();
  const auto add = [&](std::string host) {
    cdr::emplace(published, net::HostPort{std::move(host), port}.text());
  };
  if (ior::publishable(endpoint.listen.host)) return add(endpoint.listen.host);

  const bool serves_v6 = bound.family() == AF_INET6;
  const bool serves_v4 = !serves_v6 || !endpoint.options.only_v6;
  bool have_v4 = !serves_v4;
  bool have_v6 = !serves_v6;
  const std::size_t before = published.size();
  for (const net::SocketAddress& address : interfaces) {
    const bool v6 = address.family() == AF_INET6;
    // A link-local IPv6 address needs the number of the client's own network interface, so it is useless in a reference.
    if ((v6 ? have_v6 : have_v4) || (v6 && address.is_link_local())) continue;
    (v6 ? have_v6 : have_v4) = true;
    add(address.host_text());
  }
  if (published.size() == before) add(serves_v4 ? "127.0.0.1" : "::1");
}

std::string endpoint_text(const Endpoint& endpoint, const net::SocketAddress& bound) {
  return "iiop://" + net::HostPort{endpoint.listen.host, bound.port()}.text();
}

}  // namespace tenon::iiop
