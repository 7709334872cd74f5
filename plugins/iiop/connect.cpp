// SPDX-License-Identifier: Apache-2.0
//
// Opens TCP connections.
#include "net/connect.hpp"

#include "base/memory.hpp"
#include "base/minor_codes.hpp"
#include "plugins/iiop/iiop.hpp"
#include "plugins/iiop/plugin.hpp"
#include "plugins/stream/spinning_transport.hpp"
#include "protocol/socket_properties.hpp"

namespace tenon::iiop {
namespace {

net::Descriptor connect_to(const Plugin& plugin, const net::SocketBuffers& buffers, const HostAndPort& where,
                           Deadline deadline, Error& error) {
  if (!net::in_numbers(where.host)) {
    if (plugin.names) return plugin.names->connect(where, buffers, deadline, error);
    error = errors::no_host_names_part;
    return {};
  }
  const auto numeric = net::numeric_address(where.host, where.port);
  if (!numeric) {
    error = errors::host_not_found;
    return {};
  }
  int os_error = 0;
  net::Descriptor socket = net::connect_to(*numeric, deadline, os_error, buffers);
  if (!socket) error = stream::connect_error(os_error);
  return socket;
}

/// What a call's policy says in place of the ORB's options.
void apply(const protocol::SocketProperties& wanted, Plugin::Settings& settings) noexcept {
  settings.buffers = wanted.buffers_or(settings.buffers);
  settings.keep_alive.on = wanted.keep_alive.value_or(settings.keep_alive.on);
  settings.no_delay = wanted.no_delay.value_or(settings.no_delay);
}

Result<std::unique_ptr<protocol::Transport>> connect(const Plugin& plugin, std::string_view properties,
                                                     std::string_view address, Deadline deadline) {
  const HostAndPort where = Plugin::host_and_port(address);
  if (where.host.empty()) return errors::bad_address;
  Plugin::Settings settings = plugin.settings();
  const auto* const of_calls =
      properties.empty() ? nullptr : protocol::socket_properties.load(std::memory_order_acquire);
  protocol::SocketProperties wanted;
  if (of_calls != nullptr) {
    wanted = of_calls->read(properties);
    apply(wanted, settings);
  }
  Error error;
  net::Descriptor socket = connect_to(plugin, settings.buffers, where, deadline, error);
  if (!socket) return error;
  net::prepare_tcp(socket.get(), settings.keep_alive, settings.no_delay);
  if (of_calls != nullptr) of_calls->set(socket.get(), wanted);
  std::string peer = memory::is_known() ? std::string() : net::peer_address(socket.get()).text();
  auto path = stream::make_stream_transport(std::move(socket), std::move(peer), settings.spin_us);
  if (path == nullptr) return memory::shortage();
  return path;
}

}  // namespace

void add_connecting(Plugin& plugin) noexcept { plugin.connects = connect; }

}  // namespace tenon::iiop
