// SPDX-License-Identifier: Apache-2.0
//
#include "plugins/iiop/iiop.hpp"

#include <algorithm>
#include <utility>

#include "base/joined.hpp"
#include "base/minor_codes.hpp"
#include "cdr/reader.hpp"
#include "cdr/value_memory.hpp"
#include "ior/iiop_profile.hpp"
#include "ior/object_url.hpp"
#include "plugins/iiop/plugin.hpp"
#include "protocol/endpoint_text.hpp"

namespace tenon::iiop {
namespace {

using protocol::ProfileView;
using protocol::Transport;

/// Of names (RFC 1035 §2.3.4), and of numbers too.
constexpr std::size_t longest_host = 255;

}  // namespace

/// Servers that accept only TLS have port 0 in their profiles, and an empty host names no server. Neither can be connected to.
void add_address(std::vector<protocol::Address>& into, std::string_view host, std::uint16_t port) {
  // Some ORBs publish the brackets of IPv6 too.
  if (host.starts_with('[') && host.ends_with(']') && host.find(':') != std::string_view::npos)
    host = host.substr(1, host.size() - 2);
  if (host.empty() || host.size() > longest_host || port == 0 || into.size() == into.capacity()) return;
  cdr::emplace(into, net::HostPort{std::string(host), port}.text());
}

HostAndPort Plugin::host_and_port(std::string_view address) noexcept {
  const std::size_t colon = address.rfind(':');
  if (colon == std::string_view::npos) return {};
  const auto port = net::parse_port(address.substr(colon + 1));
  std::string_view host = address.substr(0, colon);
  const bool v6 = host.starts_with('[') && host.ends_with(']');
  if (v6) host = host.substr(1, host.size() - 2);
  return port && v6 == (host.find(':') != std::string_view::npos) ? HostAndPort{host, *port} : HostAndPort();
}

bool Plugin::takes_endpoint(std::string_view endpoint) const noexcept {
  return TransportPlugin::takes_endpoint(endpoint) || endpoint.starts_with("giop:tcp:");
}

std::uint32_t Plugin::profile_tag() const noexcept { return ior::tag_internet_iop; }

void Plugin::configure(const protocol::TransportOptions& options) {
  settings_ = {options.spin_us, options.keep_alive, options.socket_buffers, options.no_delay};
  if (listening) listening->configure(*this, options);
  if (names) names->configure(options);
}

std::unique_ptr<protocol::Acceptor> Plugin::listen(std::string_view text, std::string& why) {
  if (listening) return listening->listen(*this, text, why);
  why = protocol::endpoint_error(text, "this program's start-up does not name tenon::parts::iiop_server");
  return nullptr;
}

void Plugin::expect(const protocol::Address& address) {
  if (!names) return;
  const HostAndPort where = host_and_port(address.text);
  if (!where.host.empty() && !net::in_numbers(where.host)) names->expect(where.host);
}

Result<std::unique_ptr<Transport>> Plugin::connect(std::string_view address, Deadline deadline) {
  return Plugin::connect_with({}, address, deadline);
}

Result<std::unique_ptr<Transport>> Plugin::connect_with(std::string_view properties, std::string_view address,
                                                        Deadline deadline) {
  if (connects != nullptr) return connects(*this, properties, address, deadline);
  return errors::no_connecting_part;
}

namespace {

/// False: there is no memory for the addresses.
bool read_addresses(const ior::IiopProfileParts& parts, ProfileView& view) {
  std::size_t addresses = 1;
  for (const ior::TaggedComponent& component : view.components)
    addresses += component.tag == ior::tag_alternate_iiop_address;
  if (!cdr::reserve(view.addresses, std::min(addresses, most_addresses))) return false;
  add_address(view.addresses, parts.host, parts.port);
  std::size_t kept = 0;
  for (ior::TaggedComponent& component : view.components) {
    if (component.tag != ior::tag_alternate_iiop_address) {
      ior::TaggedComponent& place = view.components[kept++];
      std::swap(place.tag, component.tag);  // also with itself
      place.data.swap(component.data);
      continue;
    }
    cdr::Reader other = cdr::Reader::encapsulation(component.data);
    const std::string_view host = other.get_raw_string();
    const auto port = other.get<std::uint16_t>();
    if (other.good()) add_address(view.addresses, host, port);
  }
  while (view.components.size() > kept) view.components.pop_back();
  return true;
}

}  // namespace

Result<ProfileView> Plugin::read_profile(ByteView profile_data) const {
  ProfileView view;
  ior::IiopProfileParts parts{.minor = view.minor, .key = view.object_key, .components = view.components};
  Error why;
  if (const Status read = ior::read_iiop_profile(profile_data, parts); !read) {
    why = read.error();
  } else if (read_addresses(parts, view)) {
    return view;
  } else {
    why = errors::out_of_memory;
  }
  return why;
}

constinit std::atomic<const Plugin::Urls*> Plugin::urls{nullptr};

ior::TaggedProfile Plugin::make_profile(const ProfileView& view) const {
  if (makes_profile != nullptr) return makes_profile(view);
  const Urls* const of_urls = urls.load(std::memory_order_acquire);
  return of_urls != nullptr ? of_urls->make_profile(view) : ior::TaggedProfile();
}

bool Plugin::read_url_address(std::string_view text, ProfileView& into, std::string& why) const {
  if (const Urls* const of_urls = urls.load(std::memory_order_acquire))
    return of_urls->read_address(text, into, why);
  why = "this program's start-up does not name tenon::parts::corbaloc";
  return false;
}

std::string Plugin::url_address(const ProfileView& view, std::size_t index) const {
  const std::string& address = view.addresses[index].text;
  const char version[] = {'1', '.', static_cast<char>('0' + view.minor), '@'};
  return joined({{version, view.minor == 0 ? 0 : sizeof version}, address});
}

std::unique_ptr<Plugin> make_bare_plugin() { return std::make_unique<Plugin>(); }

}  // namespace tenon::iiop
