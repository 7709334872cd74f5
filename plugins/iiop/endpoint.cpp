// SPDX-License-Identifier: Apache-2.0
#include "plugins/iiop/endpoint.hpp"

#include "ior/iiop_profile.hpp"
#include "protocol/endpoint_text.hpp"

namespace tenon::iiop {
namespace {

constexpr std::string_view example = "iiop://127.0.0.1:2809";

bool read_publish(std::string_view text, const protocol::EndpointOption& option, Endpoint& into,
                  std::string& why) {
  std::string reason;
  const auto where = net::parse_host_port(option.value, 0, reason);
  if (!where) {
    why = protocol::option_error(text, option, reason);
    return false;
  }
  if (!ior::publishable(where->host)) {
    why = protocol::option_error(text, option,
                                 "nobody can connect to it; write a host that clients can reach, for example "
                                 "publish=gw.example.org:4000");
    return false;
  }
  into.publish.push_back(*where);
  return true;
}

bool read_switch(std::string_view text, const protocol::EndpointOption& option, bool& into,
                 std::string& why) {
  const std::optional<bool> value = protocol::read_switch(option.value);
  if (!value) why = protocol::option_error(text, option, "write yes or no");
  into = value.value_or(into);
  return value.has_value();
}

bool read_option(std::string_view text, const protocol::EndpointOption& option, Endpoint& into,
                 std::string& why) {
  if (option.name == "publish") return read_publish(text, option, into, why);
  if (option.name == "reuseaddr") return read_switch(text, option, into.options.reuse_address, why);
  if (option.name == "keepalive") return read_switch(text, option, into.keep_alive, why);
  if (option.name == "backlog") return protocol::read_backlog(text, option, into.options.backlog, why);
  why = protocol::option_error(
      text, option, "iiop does not have this option; it has publish, reuseaddr, keepalive and backlog");
  return false;
}

}  // namespace

std::optional<Endpoint> read_endpoint(std::string_view text, std::string& why) {
  protocol::EndpointText parts;
  if (!protocol::read_endpoint(text, {"iiop://", "giop:tcp:"}, '/', example, parts, why)) return std::nullopt;
  Endpoint endpoint;
  std::string reason;
  const auto listen = net::parse_host_port(parts.address, 0, reason);
  if (!listen) {
    why = protocol::endpoint_error(text, reason);
    return std::nullopt;
  }
  endpoint.listen = *listen;
  for (const protocol::EndpointOption& option : parts.options) {
    if (!read_option(text, option, endpoint, why)) return std::nullopt;
  }
  // No host at all means all addresses, IPv4 too; [::] means IPv6 only.
  endpoint.options.only_v6 = !endpoint.listen.host.empty();
  return endpoint;
}

std::vector<net::SocketAddress> listen_addresses(const Endpoint& endpoint, std::string& why) {
  if (!endpoint.listen.host.empty()) return net::resolve(endpoint.listen, net::Purpose::listen, why);
  // One IPv6 socket takes IPv4 too; the IPv4 one is for machines without IPv6.
  std::vector<net::SocketAddress> both;
  for (const char* wildcard : {"::", "0.0.0.0"}) {
    if (const auto address = net::numeric_address({wildcard, endpoint.listen.port})) both.push_back(*address);
  }
  if (both.empty()) why = "this machine has neither IPv4 nor IPv6";
  return both;
}

std::vector<std::string> published_addresses(const Endpoint& endpoint, const net::SocketAddress& bound,
                                             const std::vector<net::SocketAddress>& interfaces) {
  const std::uint16_t port = bound.port();
  std::vector<std::string> published;
  for (const net::HostPort& where : endpoint.publish) {
    published.push_back(net::HostPort{where.host, where.port != 0 ? where.port : port}.text());
  }
  if (!published.empty()) return published;
  if (ior::publishable(endpoint.listen.host)) return {net::HostPort{endpoint.listen.host, port}.text()};

  const bool serves_v6 = bound.family() == AF_INET6;
  const bool serves_v4 = !serves_v6 || !endpoint.options.only_v6;
  bool have_v4 = !serves_v4;
  bool have_v6 = !serves_v6;
  for (const net::SocketAddress& address : interfaces) {
    const bool v6 = address.family() == AF_INET6;
    // A link-local IPv6 address needs the number of the client's own network interface, so it is useless in a reference.
    if ((v6 ? have_v6 : have_v4) || (v6 && address.is_link_local())) continue;
    (v6 ? have_v6 : have_v4) = true;
    published.push_back(net::HostPort{address.host_text(), port}.text());
  }
  if (published.empty()) published.push_back(net::HostPort{serves_v4 ? "127.0.0.1" : "::1", port}.text());
  return published;
}

std::string endpoint_text(const Endpoint& endpoint, const net::SocketAddress& bound) {
  return "iiop://" + net::HostPort{endpoint.listen.host, bound.port()}.text();
}

}  // namespace tenon::iiop
