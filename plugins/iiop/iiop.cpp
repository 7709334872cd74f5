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
void add_address(std::vector<protocol::Address>& into, const ior::IiopAddress& address) {
  if (address.host.empty() || address.port == 0) return;
  if (address.host.front() == '[' && address.host.back() == ']') {  // some ORBs publish the brackets too
    into.push_back({address.host + ':' + std::to_string(address.port)});
  } else {
    into.push_back({ior::to_text(address)});
  }
}

/// The inverse, for addresses that came from published() or add_address(): well formed by construction.
ior::IiopAddress to_iiop(const protocol::Address& address) {
  const auto where = Plugin::host_and_port(address);
  return where ? ior::IiopAddress{where->host, where->port} : ior::IiopAddress{address.text, 0};
}

}  // namespace

std::optional<net::HostPort> Plugin::host_and_port(const protocol::Address& address) {
  std::string ignored;
  return net::parse_host_port(address.text, ior::default_corbaloc_port, ignored);
}

bool Plugin::takes_endpoint(std::string_view endpoint) const noexcept {
  return TransportPlugin::takes_endpoint(endpoint) || endpoint.starts_with("giop:tcp:");
}

std::uint32_t Plugin::profile_tag() const noexcept { return ior::tag_internet_iop; }

void Plugin::configure(const protocol::TransportOptions& options) {
  options_ = options;
  if (names) names->configure(options);
}

std::unique_ptr<protocol::Acceptor> Plugin::listen(std::string_view text, std::string& why) {
  if (listens != nullptr) return listens(*this, text, why);
  why = protocol::endpoint_error(text, "this program's start-up does not name tenon::parts::iiop_server");
  return nullptr;
}

void Plugin::expect(const protocol::Address& address) {
  if (!names) return;
  const auto where = host_and_port(address);
  if (where && !net::in_numbers(where->host)) names->expect(where->host);
}

Result<std::unique_ptr<Transport>> Plugin::connect(const protocol::Address& address, Deadline deadline) {
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

ior::TaggedProfile Plugin::make_profile(const ProfileView& view) const {
  ior::IiopProfile profile;
  profile.minor = view.minor;
  profile.key = view.object_key;
  profile.components = view.components;
  for (const protocol::Address& address : view.addresses) {
    if (&address == view.addresses.data()) {
      profile.address = to_iiop(address);
    } else {
      profile.components.push_back(ior::alternate_address_component(to_iiop(address)));
    }
  }
  return ior::make_iiop_profile(profile);
}

bool Plugin::read_url_address(std::string_view text, ProfileView& into, std::string& why) const {
  const ior::Parsed<ior::ParsedIiopAddress> parsed = ior::parse_iiop_address(text);
  if (!parsed) {
    why = "address '" + std::string(text) + "': " + parsed.error().text;
    return false;
  }
  // One profile has one version: the lowest of its addresses'.
  const std::uint8_t minor = parsed->minor;
  into.minor = into.addresses.empty() || minor < into.minor ? minor : into.minor;
  add_address(into.addresses, parsed->address);
  return true;
}

std::string Plugin::url_address(const ProfileView& view, std::size_t index) const {
  const std::string& address = view.addresses[index].text;
  return view.minor == 0 ? address : "1." + std::to_string(view.minor) + '@' + address;
}

std::unique_ptr<Plugin> make_bare_plugin() { return std::make_unique<Plugin>(); }

}  // namespace tenon::iiop
