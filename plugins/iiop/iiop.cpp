// SPDX-License-Identifier: Apache-2.0
//
// The IIOP plug-in: TCP connections and IIOP profiles. Its only state is what it knows about host names; any thread may use that.
#include "plugins/iiop/iiop.hpp"

#include "base/minor_codes.hpp"
#include "base/trail.hpp"
#include "ior/iiop_profile.hpp"
#include "ior/object_url.hpp"
#include "net/connect.hpp"
#include "net/host_names.hpp"
#include "plugins/iiop/endpoint.hpp"
#include "plugins/stream/spinning_transport.hpp"
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
  std::string ignored;
  const auto where = net::parse_host_port(address.text, ior::default_corbaloc_port, ignored);
  return where ? ior::IiopAddress{where->host, where->port} : ior::IiopAddress{address.text, 0};
}

class IiopPlugin final : public protocol::TransportPlugin {
 public:
  explicit IiopPlugin(std::shared_ptr<net::NameSource> names) : names_(std::move(names)) {}

  std::string_view name() const noexcept override { return "iiop"; }
  bool takes_endpoint(std::string_view endpoint) const noexcept override {
    return TransportPlugin::takes_endpoint(endpoint) || endpoint.starts_with("giop:tcp:");
  }
  std::uint32_t profile_tag() const noexcept override { return ior::tag_internet_iop; }

  void configure(const protocol::TransportOptions& options) override;
  std::unique_ptr<protocol::Acceptor> listen(std::string_view text, std::string& why) override;
  void expect(const protocol::Address& address) override;
  Result<std::unique_ptr<Transport>> connect(const protocol::Address& address, Deadline deadline) override;
  Result<ProfileView> read_profile(ByteView profile_data) const override;
  ior::TaggedProfile make_profile(const ProfileView& view) const override;
  bool read_url_address(std::string_view text, ProfileView& into, std::string& why) const override;
  std::string url_address(const ProfileView& view, std::size_t index) const override;

 private:
  net::Descriptor connect_by_name(const net::HostPort& where, Deadline deadline, Error& error);

  net::HostNames names_;
  protocol::TransportOptions options_;
};

/// How much longer a call that fails may take, to find out whether its host has moved.
constexpr std::int64_t ask_again_ms = 500;

void IiopPlugin::configure(const protocol::TransportOptions& options) {
  options_ = options;
  net::HostNames::Settings settings;
  settings.fresh_ms = options.host_names_fresh_ms;
  settings.usable_ms = 10 * settings.fresh_ms;
  names_.set_settings(settings);
}

std::unique_ptr<protocol::Acceptor> IiopPlugin::listen(std::string_view text, std::string& why) {
  std::optional<Endpoint> endpoint = read_endpoint(text, why);
  if (!endpoint) return nullptr;
  endpoint->options.buffers = options_.socket_buffers;
  std::string reason;
  auto listener = std::make_unique<net::Listener>();
  if (!listen_on(*endpoint, *listener, reason)) {
    why = protocol::endpoint_error(text, reason);
    return nullptr;
  }
  stream::StreamAcceptor::Settings settings;
  settings.endpoint = endpoint_text(*endpoint, listener->address());
  settings.published =
      addresses_in_references(*endpoint, listener->address(), net::interface_addresses(), options_);
  settings.fixed = endpoint->listen.port != 0 && endpoint->last_port <= endpoint->listen.port;
  settings.highest_minor = endpoint->minor;
  settings.keep_alive = options_.keep_alive;
  if (!endpoint->keep_alive) settings.keep_alive.on = false;
  settings.transports = options_;
  return std::make_unique<stream::StreamAcceptor>(std::move(listener), std::move(settings));
}

void IiopPlugin::expect(const protocol::Address& address) {
  std::string ignored;
  const auto where = net::parse_host_port(address.text, ior::default_corbaloc_port, ignored);
  if (where && !net::in_numbers(where->host)) names_.expect(where->host);
}

net::Descriptor IiopPlugin::connect_by_name(const net::HostPort& where, Deadline deadline, Error& error) {
  using Outcome = net::HostNames::Outcome;
  const std::int64_t began = steady_now();
  const net::HostNames::Answer known = names_.addresses(where, deadline);
  if (known.outcome != Outcome::found) {
    error = known.outcome == Outcome::timed_out ? errors::look_up_timed_out : errors::host_not_found;
    Trail::mine().add(
        {.step = Step::look_up, .error = error, .took_ns = steady_now() - began, .said = known.why});
    return {};
  }
  int os_error = 0;
  net::Descriptor socket = net::connect_stream(known.addresses, deadline, os_error, options_.socket_buffers);
  if (!socket && known.asked_at < began) {
    const net::HostNames::Answer again =
        names_.addresses(where, earlier(deadline, Deadline::after_ms(ask_again_ms)), began);
    if (again.outcome == Outcome::found && again.addresses != known.addresses)
      socket = net::connect_stream(again.addresses, deadline, os_error, options_.socket_buffers);
  }
  if (!socket) error = stream::connect_error(os_error);
  return socket;
}

Result<std::unique_ptr<Transport>> IiopPlugin::connect(const protocol::Address& address, Deadline deadline) {
  std::string why;
  const auto where = net::parse_host_port(address.text, ior::default_corbaloc_port, why);
  if (!where || where->host.empty()) return errors::bad_address;
  net::Descriptor socket;
  Error error;
  if (!net::in_numbers(where->host)) {
    socket = connect_by_name(*where, deadline, error);
  } else if (const auto numeric = net::numeric_address(*where)) {
    int os_error = 0;
    socket = net::connect_stream({&*numeric, 1}, deadline, os_error, options_.socket_buffers);
    if (!socket) error = stream::connect_error(os_error);
  } else {
    error = errors::host_not_found;
  }
  if (!socket) return error;
  net::prepare_tcp(socket.get(), options_.keep_alive, options_.no_delay);
  std::string peer = net::peer_address(socket.get()).text();
  return stream::make_stream_transport(std::move(socket), std::move(peer), options_);
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
  // One profile has one version: the lowest of its addresses'.
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

std::unique_ptr<protocol::TransportPlugin> make_plugin() { return make_plugin(net::system_names()); }

std::unique_ptr<protocol::TransportPlugin> make_plugin(std::shared_ptr<net::NameSource> names) {
  return std::make_unique<IiopPlugin>(std::move(names));
}

}  // namespace tenon::iiop
