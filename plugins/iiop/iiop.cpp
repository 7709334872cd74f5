// SPDX-License-Identifier: Apache-2.0
//
#include "plugins/iiop/iiop.hpp"

#include "base/minor_codes.hpp"
#include "ior/iiop_profile.hpp"
#include "ior/object_url.hpp"
#include "plugins/iiop/plugin.hpp"
#include "protocol/endpoint_text.hpp"

namespace tenon::iiop {
namespace {

using protocol::ProfileView;
using protocol::Transport;

/// Servers that accept only TLS have port 0 in their profiles, and an empty host names no server. Neither can be connected to.
}  // namespace

void add_address(std::vector<protocol::Address>& into, const ior::IiopAddress& address) {
  if (address.host.empty() || address.port == 0) return;
  if (address.host.front() == '[' && address.host.back() == ']') {  // some ORBs publish the brackets too
    into.push_back({address.host + ':' + std::to_string(address.port)});
  } else {
    into.push_back({ior::to_text(address)});
  }
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
  if (listening) listening->configure(options);
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
  if (connects != nullptr) return connects(*this, address, deadline);
  return errors::no_connecting_part;
}

Result<ProfileView> Plugin::read_profile(ByteView profile_data) const {
  Result<ior::IiopProfile> profile = ior::parse_iiop_profile(profile_data);
  if (!profile) return profile.error();
  ProfileView view;
  view.minor = profile->minor;
  view.object_key = std::move(profile->key);
  add_address(view.addresses, profile->address);
  for (const ior::IiopAddress& other : ior::alternate_addresses(profile->components)) {
    add_address(view.addresses, other);
  }
  for (ior::TaggedComponent& component : profile->components) {
    if (component.tag != ior::tag_alternate_iiop_address) view.components.push_back(std::move(component));
  }
  return view;
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
  return view.minor == 0 ? address : "1." + std::to_string(view.minor) + '@' + address;
}

std::unique_ptr<Plugin> make_bare_plugin() { return std::make_unique<Plugin>(); }

}  // namespace tenon::iiop
