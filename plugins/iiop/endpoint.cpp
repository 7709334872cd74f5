// SPDX-License-Identifier: Apache-2.0
#include "plugins/iiop/endpoint.hpp"

#include "ior/iiop_profile.hpp"
#include "plugins/iiop/plugin.hpp"
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

/// TAO's name for publish without a port.
bool read_hostname(std::string_view text, const protocol::EndpointOption& option, Endpoint& into,
                   std::string& why) {
  const std::string_view host = option.value;
  const bool v6 = host.find(':') != host.rfind(':') && !host.starts_with('[');
  std::string reason;
  const auto where = net::parse_host_port(v6 ? '[' + std::string(host) + ']' : std::string(host), 0, reason);
  if (where && where->port == 0 && ior::publishable(where->host)) {
    into.publish.push_back({where->host, 0});
    return true;
  }
  why = protocol::option_error(text, option,
                               "write a host that clients can reach, without a port; for another port write "
                               "publish=HOST:PORT");
  return false;
}

/// TAO's way to say how many ports there are to choose from.
bool read_span(std::string_view text, const protocol::EndpointOption& option, Endpoint& into,
               std::string& why) {
  const auto count = net::parse_port(option.value);
  const unsigned last = into.listen.port + static_cast<unsigned>(count.value_or(0)) - 1U;
  if (!count || *count == 0 || last > UINT16_MAX) {
    why = protocol::option_error(text, option, "write how many ports to try, up to port 65535");
  } else if (into.listen.port == 0 || into.last_port != 0) {
    why =
        protocol::option_error(text, option,
                               "write the first port before it, for example iiop://:5000/portspan=11, or the "
                               "range: iiop://:5000-5010");
  } else {
    into.last_port = static_cast<std::uint16_t>(last);
    return true;
  }
  return false;
}

/// Takes "1.2@" off the front of an address, as corbaloc has it.
bool take_version(std::string_view& address, Endpoint& into) {
  const std::size_t at = address.find('@');
  if (at == std::string_view::npos) return true;
  const std::string_view version = address.substr(0, at);
  address.remove_prefix(at + 1);
  if (version.size() != 3 || !version.starts_with("1.") || version[2] < '0' || version[2] > '2') return false;
  into.minor = static_cast<std::uint8_t>(version[2] - '0');
  return true;
}

/// Takes "-5010" off the end of "host:5000-5010", as omniORB has it.
bool take_last_port(std::string_view& address, Endpoint& into) {
  const std::size_t colon = address.rfind(':');
  const std::size_t dash = colon == std::string_view::npos ? colon : address.find('-', colon);
  if (dash == std::string_view::npos || address.find(']', colon) != std::string_view::npos) return true;
  const auto first = net::parse_port(address.substr(colon + 1, dash - colon - 1));
  const auto last = net::parse_port(address.substr(dash + 1));
  if (!first || !last || *first == 0 || *last < *first) return false;
  into.last_port = *last;
  address = address.substr(0, dash);
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
  if (option.name == "hostname_in_ior") return read_hostname(text, option, into, why);
  if (option.name == "portspan") return read_span(text, option, into, why);
  if (option.name == "reuseaddr" || option.name == "reuse_addr")
    return read_switch(text, option, into.options.reuse_address, why);
  if (option.name == "keepalive") return read_switch(text, option, into.keep_alive, why);
  if (option.name == "backlog") return protocol::read_backlog(text, option, into.options.backlog, why);
  why = protocol::option_error(text, option,
                               "iiop does not have this option; it has publish, hostname_in_ior, portspan, "
                               "reuseaddr, keepalive and backlog");
  return false;
}

}  // namespace

std::optional<Endpoint> read_endpoint(std::string_view text, std::string& why) {
  protocol::EndpointText parts;
  if (!protocol::read_endpoint(text, {"iiop://", "giop:tcp:"}, '/', example, parts, why)) return std::nullopt;
  Endpoint endpoint;
  if (parts.address.find(',') != std::string_view::npos) {
    why = protocol::endpoint_error(text, "it has one address; write ';' between several endpoints");
    return std::nullopt;
  }
  if (!take_version(parts.address, endpoint)) {
    why = protocol::endpoint_error(text, "before '@' stands a version: write 1.0, 1.1 or 1.2");
    return std::nullopt;
  }
  if (!take_last_port(parts.address, endpoint)) {
    why = protocol::endpoint_error(text, "a range of ports is first-last, for example iiop://:5000-5010");
    return std::nullopt;
  }
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

bool listen_on(const Endpoint& endpoint, Names* names, net::Listener& listener, std::string& why) {
  std::vector<net::SocketAddress> addresses = listen_addresses(endpoint, names, why);
  const unsigned first = endpoint.listen.port;
  const unsigned last = endpoint.last_port == 0 ? first : endpoint.last_port;
  for (unsigned port = first; port <= last && !addresses.empty(); ++port) {
    for (net::SocketAddress& address : addresses) address.set_port(static_cast<std::uint16_t>(port));
    if (listener.open_any(addresses, endpoint.options, why)) return true;
  }
  if (first != last) {
    why = "of the ports from " + std::to_string(first) + " to " + std::to_string(last) +
          " none can be had; of the last one: " + why;
  }
  return false;
}

std::vector<net::SocketAddress> listen_addresses(const Endpoint& endpoint, Names* names, std::string& why) {
  if (!endpoint.listen.host.empty() && names != nullptr) return names->own_addresses(endpoint.listen, why);
  if (!endpoint.listen.host.empty()) {
    if (const auto address = net::numeric_address(endpoint.listen)) return {*address};
    why = net::in_numbers(endpoint.listen.host)
              ? "this is no address of a host"
              : "write the host in numbers: this program's start-up does not name tenon::parts::host_names";
    return {};
  }
  // One IPv6 socket takes IPv4 too; the IPv4 one is for machines without IPv6.
  std::vector<net::SocketAddress> both;
  for (const char* wildcard : {"::", "0.0.0.0"}) {
    if (const auto address = net::numeric_address({wildcard, endpoint.listen.port})) both.push_back(*address);
  }
  if (both.empty()) why = "this machine has neither IPv4 nor IPv6";
  return both;
}

namespace {

std::string with_port(const net::HostPort& where, std::uint16_t port) {
  return net::HostPort{where.host, where.port != 0 ? where.port : port}.text();
}

/// Texts that ORB_init has read already.
std::string with_port(const std::string& where, std::uint16_t port) {
  std::string ignored;
  return with_port(net::parse_host_port(where, port, ignored).value_or(net::HostPort{where, port}), port);
}

}  // namespace

std::vector<std::string> addresses_in_references(const Endpoint& endpoint, const net::SocketAddress& bound,
                                                 const std::vector<net::SocketAddress>& interfaces,
                                                 const protocol::TransportOptions& options) {
  const bool numbers = options.publish_numbers && !endpoint.listen.host.empty() && !bound.is_wildcard();
  std::vector<std::string> wanted = options.publish;
  if (!endpoint.publish.empty() || wanted.empty()) wanted = {std::string(protocol::own_addresses)};
  std::vector<std::string> all;
  for (const std::string& each : wanted) {
    if (each != protocol::own_addresses) {
      all.push_back(with_port(each, bound.port()));
    } else if (numbers && endpoint.publish.empty()) {
      all.push_back(bound.text());
    } else {
      const auto published = published_addresses(endpoint, bound, interfaces);
      all.insert(all.end(), published.begin(), published.end());
    }
  }
  for (const std::string& each : options.publish_also) all.push_back(with_port(each, bound.port()));
  return all;
}

std::vector<std::string> published_addresses(const Endpoint& endpoint, const net::SocketAddress& bound,
                                             const std::vector<net::SocketAddress>& interfaces) {
  const std::uint16_t port = bound.port();
  std::vector<std::string> published;
  for (const net::HostPort& where : endpoint.publish) published.push_back(with_port(where, port));
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
