// SPDX-License-Identifier: Apache-2.0
//
// Listens for Unix-domain connections.
#include "plugins/stream/stream_transport.hpp"
#include "plugins/uiop/abandoned.hpp"
#include "plugins/uiop/endpoint.hpp"
#include "plugins/uiop/plugin.hpp"
#include "plugins/uiop/uiop.hpp"
#include "protocol/endpoint_text.hpp"

namespace tenon::uiop {
namespace {

std::unique_ptr<protocol::Acceptor> listen(const Plugin& plugin, std::string_view text, std::string& why) {
  std::optional<Endpoint> endpoint = read_endpoint(text, why);
  if (!endpoint) return nullptr;
  if (endpoint->fresh) remove_abandoned_paths();
  endpoint->options.buffers = plugin.options().socket_buffers;
  std::string reason;
  const auto address = net::unix_address(endpoint->path, reason);
  auto listener = std::make_unique<net::Listener>();
  if (!address || !listener->open_path(*address, endpoint->options, reason)) {
    why = protocol::endpoint_error(text, reason);
    return nullptr;
  }
  auto acceptor = std::make_unique<stream::StreamAcceptor>(std::move(listener));
  stream::StreamAcceptor::Settings& settings = acceptor->settings();
  settings.endpoint = std::string(endpoint->as_omniorb ? omniorb_scheme : "uiop://") + endpoint->path;
  settings.published = {endpoint->path};
  settings.fixed = !endpoint->fresh;
  settings.spin_us = plugin.options().spin_us;
  settings.buffers = plugin.options().socket_buffers;
  settings.add_unix_paths();
  settings.serve_by_rules(std::make_shared<const protocol::TransportOptions>(plugin.options()));
  return acceptor;
}

}  // namespace

void add_listening(Plugin& plugin) noexcept { plugin.listens = listen; }

}  // namespace tenon::uiop
