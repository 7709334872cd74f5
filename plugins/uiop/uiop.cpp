// SPDX-License-Identifier: Apache-2.0
//
// The UIOP plug-in: Unix-domain connections and TAO's UIOP profiles. It holds no state, so it is safe from any thread.
#include "plugins/uiop/uiop.hpp"

#include "base/minor_codes.hpp"
#include "ior/object_url.hpp"
#include "ior/uiop_profile.hpp"
#include "net/connect.hpp"
#include "plugins/stream/spinning_transport.hpp"
#include "plugins/uiop/endpoint.hpp"
#include "protocol/endpoint_text.hpp"

namespace tenon::uiop {
namespace {

using protocol::ProfileView;
using protocol::Transport;

class UiopPlugin final : public protocol::TransportPlugin {
 public:
  std::string_view name() const noexcept override { return "uiop"; }
  bool takes_endpoint(std::string_view endpoint) const noexcept override {
    return TransportPlugin::takes_endpoint(endpoint) || endpoint.starts_with("giop:unix:");
  }
  std::uint32_t profile_tag() const noexcept override { return ior::tag_tao_uiop; }

  void configure(const protocol::TransportOptions& options) override { options_ = options; }
  std::unique_ptr<protocol::Acceptor> listen(std::string_view text, std::string& why) override;
  Result<std::unique_ptr<Transport>> connect(const protocol::Address& address, Deadline deadline) override;
  Result<ProfileView> read_profile(ByteView profile_data) const override;
  ior::TaggedProfile make_profile(const ProfileView& view) const override;
  bool read_url_address(std::string_view text, ProfileView& into, std::string& why) const override;
  std::string url_address(const ProfileView& view, std::size_t index) const override;

 private:
  protocol::TransportOptions options_;
};

std::unique_ptr<protocol::Acceptor> UiopPlugin::listen(std::string_view text, std::string& why) {
  std::optional<Endpoint> endpoint = read_endpoint(text, why);
  if (!endpoint) return nullptr;
  endpoint->options.buffers = options_.socket_buffers;
  std::string reason;
  const auto address = net::unix_address(endpoint->path, reason);
  auto listener = std::make_unique<net::Listener>();
  if (!address || !listener->open(*address, endpoint->options, reason)) {
    why = protocol::endpoint_error(text, reason);
    return nullptr;
  }
  stream::StreamAcceptor::Settings settings;
  settings.endpoint = "uiop://" + endpoint->path;
  settings.published = {endpoint->path};
  settings.fixed = !endpoint->fresh;
  settings.transports = options_;
  return std::make_unique<stream::StreamAcceptor>(std::move(listener), std::move(settings));
}

Result<std::unique_ptr<Transport>> UiopPlugin::connect(const protocol::Address& address, Deadline deadline) {
  std::string why;
  const auto where = net::unix_address(address.text, why);
  if (!where) return errors::bad_address;
  int os_error = 0;
  net::Descriptor socket = net::connect_stream({&*where, 1}, deadline, os_error, options_.socket_buffers);
  if (!socket) return stream::connect_error(os_error);
  return stream::make_stream_transport(std::move(socket), address.text, options_);
}

Result<ProfileView> UiopPlugin::read_profile(ByteView profile_data) const {
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
ior::TaggedProfile UiopPlugin::make_profile(const ProfileView& view) const {
  ior::UiopProfile profile;
  profile.minor = view.minor;
  profile.key = view.object_key;
  profile.components = view.components;
  if (!view.addresses.empty()) profile.path = view.addresses.front().text;
  return ior::make_uiop_profile(profile);
}

// Reads the part before the '|' of the key: "1.2@/path" or "/path".
bool UiopPlugin::read_url_address(std::string_view text, ProfileView& into, std::string& why) const {
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

std::string UiopPlugin::url_address(const ProfileView& view, std::size_t index) const {
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

}  // namespace

std::unique_ptr<protocol::TransportPlugin> make_plugin() { return std::make_unique<UiopPlugin>(); }

}  // namespace tenon::uiop
