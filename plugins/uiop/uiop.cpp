// SPDX-License-Identifier: Apache-2.0
//
// The UIOP plug-in: TAO's UIOP profiles, and what it can do besides.
#include "plugins/uiop/uiop.hpp"

#include "base/minor_codes.hpp"
#include "ior/object_url.hpp"
#include "ior/uiop_profile.hpp"
#include "plugins/uiop/endpoint.hpp"
#include "plugins/uiop/plugin.hpp"
#include "protocol/endpoint_text.hpp"
#include "protocol/socket_properties.hpp"

namespace tenon::uiop {

using protocol::ProfileView;
using protocol::Transport;

bool Plugin::takes_endpoint(std::string_view endpoint) const noexcept {
  return TransportPlugin::takes_endpoint(endpoint) || endpoint.starts_with(omniorb_scheme);
}

std::uint32_t Plugin::profile_tag() const noexcept { return ior::tag_tao_uiop; }

std::unique_ptr<protocol::Acceptor> Plugin::listen(std::string_view text, std::string& why) {
  if (listens != nullptr) return listens(*this, text, why);
  why = protocol::endpoint_error(text, "this program's start-up does not name tenon::parts::uiop_server");
  return nullptr;
}

Result<std::unique_ptr<Transport>> Plugin::connect(std::string_view address, Deadline deadline) {
  if (connects != nullptr) return connects(*this, options_.socket_buffers, address, deadline);
  return errors::no_connecting_part;
}

Result<std::unique_ptr<Transport>> Plugin::connect_with(std::string_view properties, std::string_view address,
                                                        Deadline deadline) {
  const auto* const of_calls = protocol::socket_properties.load(std::memory_order_acquire);
  if (of_calls == nullptr || connects == nullptr) return connect(address, deadline);
  return connects(*this, of_calls->read(properties).buffers_or(options_.socket_buffers), address, deadline);
}

Result<ProfileView> Plugin::read_profile(ByteView profile_data) const {
  Result<ior::UiopProfile> profile = ior::parse_uiop_profile(profile_data);
  if (!profile) return profile.error();
  ProfileView view;
  view.minor = profile->minor;
  view.object_key = std::move(profile->key);
  view.addresses.push_back({std::move(profile->path)});
  view.components = std::move(profile->components);
  return view;
}

// A UIOP profile has one path: further addresses of a view go into profiles of their own.
ior::TaggedProfile Plugin::make_profile(const ProfileView& view) const {
  ior::UiopProfile profile;
  profile.minor = view.minor;
  profile.key = view.object_key;
  profile.components = view.components;
  if (!view.addresses.empty()) profile.path = view.addresses.front().text;
  return ior::make_uiop_profile(profile);
}

// Reads the part before the '|' of the key: "1.2@/path" or "/path".
bool Plugin::read_url_address(std::string_view text, ProfileView& into, std::string& why) const {
  const ior::Parsed<ior::ParsedUiopAddress> parsed = ior::parse_uiop_address(text);
  if (!parsed) {
    why = "address '" + std::string(text) + "': " + parsed.error().text;
    return false;
  }
  if (!net::unix_address(parsed->path, why)) return false;
  const std::uint8_t minor = parsed->minor;
  into.minor = into.addresses.empty() || minor < into.minor ? minor : into.minor;
  into.addresses.push_back({parsed->path});
  return true;
}

std::string Plugin::url_address(const ProfileView& view, std::size_t index) const {
  const std::string& path = view.addresses[index].text;
  std::string text = "1." + std::to_string(view.minor) + '@';
  // ',' ends an address and '|' all of them; escape_key() lets the comma stand.
  const ByteView octets(reinterpret_cast<const std::uint8_t*>(path.data()), path.size());
  for (const char letter : ior::escape_key(octets)) {
    if (letter == ',') {
      text += "%2C";
    } else {
      text += letter;
    }
  }
  return text;
}

std::unique_ptr<Plugin> make_bare_plugin() { return std::make_unique<Plugin>(); }

std::unique_ptr<protocol::TransportPlugin> make_plugin() {
  std::unique_ptr<Plugin> plugin = make_bare_plugin();
  add_connecting(*plugin);
  add_listening(*plugin);
  return plugin;
}

}  // namespace tenon::uiop
