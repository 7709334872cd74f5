// SPDX-License-Identifier: Apache-2.0
//
// Listens for TCP connections.
#include "plugins/iiop/endpoint.hpp"
#include "plugins/iiop/iiop.hpp"
#include "plugins/iiop/plugin.hpp"
#include "plugins/stream/stream_transport.hpp"
#include "protocol/endpoint_text.hpp"

namespace tenon::iiop {
namespace {

std::unique_ptr<protocol::Acceptor> listen(const Plugin& plugin, std::string_view text, std::string& why) {
  std::optional<Endpoint> endpoint = read_endpoint(text, why);
  if (!endpoint) return nullptr;
  const protocol::TransportOptions& options = plugin.options();
  endpoint->options.buffers = options.socket_buffers;
  std::string reason;
  auto listener = std::make_unique<net::Listener>();
  if (!listen_on(*endpoint, plugin.names.get(), *listener, reason)) {
    why = protocol::endpoint_error(text, reason);
    return nullptr;
  }
  stream::StreamAcceptor::Settings settings;
  settings.endpoint = endpoint_text(*endpoint, listener->address());
  settings.published =
      addresses_in_references(*endpoint, listener->address(), net::interface_addresses(), options);
  settings.fixed = endpoint->listen.port != 0 && endpoint->last_port <= endpoint->listen.port;
  settings.highest_minor = endpoint->minor;
  settings.keep_alive = options.keep_alive;
  if (!endpoint->keep_alive) settings.keep_alive.on = false;
  settings.transports = options;
  return std::make_unique<stream::StreamAcceptor>(std::move(listener), std::move(settings));
}

}  // namespace

void add_listening(Plugin& plugin) noexcept { plugin.listens = listen; }

}  // namespace tenon::iiop
