// SPDX-License-Identifier: Apache-2.0
//
// The IIOP plug-in: TCP connections and IIOP profiles. It holds no state, so it is safe from any thread.
#include "plugins/iiop/iiop.hpp"

#include "base/minor_codes.hpp"
#include "ior/iiop_profile.hpp"
#include "ior/object_url.hpp"
#include "net/connect.hpp"
#include "plugins/iiop/endpoint.hpp"
#include "protocol/endpoint_text.hpp"
#include "protocol/stream_transport.hpp"

namespace tenon::iiop {
namespace {

using protocol::ProfileView;
using protocol::Transport;

/// Port 0 stands in profiles of servers that only take TLS; an empty host is nobody. Neither can be connected to.
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
  std::string ignored;
  const auto where = net::parse_host_port(address.text, ior::default_corbaloc_port, ignored);
  return where ? ior::IiopAddress{where->host, where->port} : ior::IiopAddress{address.text, 0};
}

class IiopPlugin final : public protocol::TransportPlugin {
 public:
  std::string_view name() const noexcept override { return "iiop"; }
  bool takes_endpoint(std::string_view endpoint) const noexcept override {
    return TransportPlugin::takes_endpoint(endpoint) || endpoint.starts_with("giop:tcp:");
  }
  std::uint32_t profile_tag() const noexcept override { return ior::tag_internet_iop; }

  std::unique_ptr<protocol::Acceptor> listen(std::string_view text, std::string& why) override;
  Result<std::unique_ptr<Transport>> connect(const protocol::Address& address, Deadline deadline) override;
  Result<ProfileView> read_profile(ByteView profile_data) const override;
  ior::TaggedProfile make_profile(const ProfileView& view) const override;
  bool read_url_address(std::string_view text, ProfileView& into, std::string& why) const override;
  std::string url_address(const ProfileView& view, std::size_t index) const override;
};

std::unique_ptr<protocol::Acceptor> IiopPlugin::listen(std::string_view text, std::string& why) {
  const std::optional<Endpoint> endpoint = read_endpoint(text, why);
  if (!endpoint) return nullptr;
  std::string reason;
  const std::vector<net::SocketAddress> addresses = listen_addresses(*endpoint, reason);
  auto listener = std::make_unique<net::Listener>();
  if (!listener->open_any(addresses, endpoint->options, reason)) {
    why = protocol::endpoint_error(text, reason);
    return nullptr;
  }
  protocol::StreamAcceptor::Settings settings;
  settings.endpoint = endpoint_text(*endpoint, listener->address());
  settings.published = published_addresses(*endpoint, listener->address(), net::interface_addresses());
  settings.keep_alive = endpoint->keep_alive;
  return std::make_unique<protocol::StreamAcceptor>(std::move(listener), std::move(settings));
}

Result<std::unique_ptr<Transport>> IiopPlugin::connect(const protocol::Address& address, Deadline deadline) {
  std::string why;
  const auto where = net::parse_host_port(address.text, ior::default_corbaloc_port, why);
  if (!where || where->host.empty()) return errors::bad_address;
  const std::vector<net::SocketAddress> found = net::resolve(*where, net::Purpose::connect, why);
  if (found.empty()) return errors::host_not_found;
  int os_error = 0;
  net::Descriptor socket = net::connect_stream(found, deadline, os_error);
  if (!socket) return protocol::connect_error(os_error);
  net::prepare_tcp(socket.get(), true);
  std::string peer = net::peer_address(socket.get()).text();
  return std::unique_ptr<Transport>(
      std::make_unique<protocol::StreamTransport>(std::move(socket), std::move(peer)));
}

Result<ProfileView> IiopPlugin::read_profile(ByteView profile_data) const {
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

ior::TaggedProfile IiopPlugin::make_profile(const ProfileView& view) const {
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

bool IiopPlugin::read_url_address(std::string_view text, ProfileView& into, std::string& why) const {
  const ior::Parsed<ior::ParsedIiopAddress> parsed = ior::parse_iiop_address(text);
  if (!parsed) {
    why = "address '" + std::string(text) + "': " + parsed.error().text;
    return false;
  }
  // One profile has one version: what all of its addresses can do.
  const std::uint8_t minor = parsed->minor;
  into.minor = into.addresses.empty() || minor < into.minor ? minor : into.minor;
  add_address(into.addresses, parsed->address);
  return true;
}

std::string IiopPlugin::url_address(const ProfileView& view, std::size_t index) const {
  const std::string& address = view.addresses[index].text;
  return view.minor == 0 ? address : "1." + std::to_string(view.minor) + '@' + address;
}

}  // namespace

std::unique_ptr<protocol::TransportPlugin> make_plugin() { return std::make_unique<IiopPlugin>(); }

}  // namespace tenon::iiop
