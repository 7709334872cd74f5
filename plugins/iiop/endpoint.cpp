// SPDX-License-Identifier: Apache-2.0
#include "plugins/iiop/endpoint.hpp"

#include "base/joined.hpp"
#include "ior/iiop_profile.hpp"
#include "plugins/iiop/iiop.hpp"
#include "plugins/iiop/plugin.hpp"
#include "protocol/endpoint_text.hpp"

namespace tenon::iiop {
namespace {

constexpr std::string_view example = "iiop://127.0.0.1:2809";

// Each reader of an option returns null, or what would be right.

/// `reason`: keeps a text that is made.
const char* read_publish(const protocol::EndpointOption& option, Endpoint& into, std::string& reason) {
  auto where = net::parse_host_port(option.value, 0, reason);
  if (!where) return reason.c_str();
  if (!ior::publishable(where->host))
    return "nobody can connect to it; write a host that clients can reach, for example "
           "publish=gw.example.org:4000";
  into.publish.push_back(std::move(*where));
  return nullptr;
}

/// TAO's name for publish without a port.
const char* read_hostname(const protocol::EndpointOption& option, Endpoint& into, std::string& reason) {
  std::string host(option.value);
  if (host.find(':') != host.rfind(':') && !host.starts_with('[')) host.insert(0, 1, '[').append(1, ']');
  auto where = net::parse_host_port(host, 0, reason);
  if (!where || where->port != 0 || !ior::publishable(where->host))
    return "write a host that clients can reach, without a port; for another port write publish=HOST:PORT";
  into.publish.push_back(std::move(*where));
  return nullptr;
}

/// TAO's way to say how many ports there are to choose from.
const char* read_span(const protocol::EndpointOption& option, Endpoint& into) {
  const auto count = net::parse_port(option.value);
  const unsigned last = into.listen.port + static_cast<unsigned>(count.value_or(0)) - 1U;
  if (!count || *count == 0 || last > UINT16_MAX) return "write how many ports to try, up to port 65535";
  if (into.listen.port == 0 || into.last_port != 0)
    return "write the first port before it, for example iiop://:5000/portspan=11, or the range: "
           "iiop://:5000-5010";
  into.last_port = static_cast<std::uint16_t>(last);
  return nullptr;
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

const char* read_switch(const protocol::EndpointOption& option, bool& into) {
  const std::optional<bool> value = protocol::read_switch(option.value);
  if (!value) return "write yes or no";
  into = *value;
  return nullptr;
}

const char* read_option(const protocol::EndpointOption& option, Endpoint& into, std::string& reason) {
  if (option.name == "publish") return read_publish(option, into, reason);
  if (option.name == "hostname_in_ior") return read_hostname(option, into, reason);
  if (option.name == "portspan") return read_span(option, into);
  if (option.name == "reuseaddr" || option.name == "reuse_addr")
    return read_switch(option, into.options.reuse_address);
  if (option.name == "keepalive") return read_switch(option, into.keep_alive);
  if (option.name == "backlog") return protocol::read_backlog(option, into.options.backlog);
  return "iiop does not have this option; it has publish, hostname_in_ior, portspan, reuseaddr, keepalive "
         "and "
         "backlog";
}

/// Null, or what would be right.
const char* read_address(std::string_view address, Endpoint& into, std::string& reason) {
  if (address.find(',') != std::string_view::npos)
    return "it has one address; write ';' between several endpoints";
  if (!take_version(address, into)) return "before '@' stands a version: write 1.0, 1.1 or 1.2";
  if (!take_last_port(address, into)) return "a range of ports is first-last, for example iiop://:5000-5010";
  auto listen = net::parse_host_port(address, 0, reason);
  if (!listen) return reason.c_str();
  into.listen = std::move(*listen);
  // No host at all means all addresses, IPv4 too; [::] means IPv6 only.
  into.options.only_v6 = !into.listen.host.empty();
  return nullptr;
}

}  // namespace

std::optional<Endpoint> read_endpoint(std::string_view text, std::string& why) {
  std::optional<Endpoint> endpoint;
  protocol::EndpointText parts;
  if (!protocol::read_endpoint(text, {"iiop://", "giop:tcp:"}, '/', example, parts, why)) return endpoint;
  endpoint.emplace();
  std::string reason;
  if (const char* const right = read_address(parts.address, *endpoint, reason)) {
    why = protocol::endpoint_error(text, right);
    endpoint.reset();
    return endpoint;
  }
  for (const protocol::EndpointOption& option : parts.options) {
    if (const char* const right = read_option(option, *endpoint, reason)) {
      why = protocol::option_error(text, option, right);
      endpoint.reset();
      break;
    }
  }
  return endpoint;
}

namespace {

void add_with_port(std::vector<std::string>& to, std::string host, std::uint16_t own, std::uint16_t port) {
  to.push_back(net::HostPort{std::move(host), own != 0 ? own : port}.text());
}

/// Texts that ORB_init has read already.
void add_with_port(std::vector<std::string>& to, const std::string& where, std::uint16_t port) {
  std::string ignored;
  const auto read = net::parse_host_port(where, port, ignored);
  add_with_port(to, read ? read->host : where, read ? read->port : port, port);
}

void add_published(std::vector<std::string>& published, const Endpoint& endpoint,
                   const net::SocketAddress& bound, const std::vector<net::SocketAddress>& interfaces) {
  for (const net::HostPort& where : endpoint.publish)
    add_with_port(published, where.host, where.port, bound.port());
  if (!endpoint.publish.empty()) return;
  published.reserve(published.size() + most_own_addresses);
  add_own_addresses(published, endpoint, bound, interfaces);
}

}  // namespace

std::vector<std::string> addresses_in_references(const Endpoint& endpoint, const net::SocketAddress& bound,
                                                 const std::vector<net::SocketAddress>& interfaces,
                                                 const protocol::TransportOptions& options) {
  std::vector<std::string> all;
  const auto add_own = [&] {
    const bool numbers = options.publish_numbers && !endpoint.listen.host.empty() && !bound.is_wildcard();
    if (numbers && endpoint.publish.empty()) {
      all.push_back(bound.text());
    } else {
      add_published(all, endpoint, bound, interfaces);
    }
  };
  const bool only_own = !endpoint.publish.empty() || options.publish.empty();
  if (only_own) add_own();
  for (std::size_t i = 0; i < options.publish.size() && !only_own; ++i) {
    if (options.publish[i] == protocol::own_addresses) {
      add_own();
    } else {
      add_with_port(all, options.publish[i], bound.port());
    }
  }
  for (const std::string& each : options.publish_also) add_with_port(all, each, bound.port());
  return all;
}

std::vector<std::string> published_addresses(const Endpoint& endpoint, const net::SocketAddress& bound,
                                             const std::vector<net::SocketAddress>& interfaces) {
  std::vector<std::string> published;
  add_published(published, endpoint, bound, interfaces);
  return published;
}

namespace {

KeptOptions keep(const protocol::TransportOptions& options) {
  return std::make_shared<const protocol::TransportOptions>(options);
}

void apply(const Endpoint& endpoint, const net::SocketAddress& bound,
           const std::vector<net::SocketAddress>& interfaces, const KeptOptions& options,
           stream::StreamAcceptor::Settings& into) {
  if (options == nullptr) {
    into.published = published_addresses(endpoint, bound, interfaces);
    return;
  }
  into.published = addresses_in_references(endpoint, bound, interfaces, *options);
  into.serve_by_rules(options);
}

}  // namespace

const EndpointOptions endpoint_options{read_endpoint, keep, apply};

void add_endpoint_options(Plugin& plugin) noexcept { plugin.endpoint_options = &endpoint_options; }

}  // namespace tenon::iiop
