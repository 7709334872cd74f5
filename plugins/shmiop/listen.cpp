// SPDX-License-Identifier: Apache-2.0
//
// Listens for connections through shared memory.
#include <unistd.h>

#include "base/joined.hpp"
#include "base/log.hpp"
#include "base/memory.hpp"
#include "base/minor_codes.hpp"
#include "plugins/shmiop/acceptor.hpp"
#include "plugins/shmiop/endpoint.hpp"
#include "plugins/shmiop/hello.hpp"
#include "plugins/shmiop/host.hpp"
#include "plugins/shmiop/plugin.hpp"
#include "plugins/shmiop/shmiop.hpp"
#include "protocol/endpoint_text.hpp"

namespace tenon::shmiop {

Result<std::unique_ptr<protocol::Transport>> SharedAcceptor::accept() {
  // Twice because stream::StreamAcceptor makes the paths of all small programs, and pays nothing for making others.
  net::SocketAddress peer;
  while (net::Descriptor socket = listener_->accept(peer)) {
    if (auto path = path_over(std::move(socket), peer)) return path;
  }
  return errors::listener_closed;
}

Result<std::unique_ptr<protocol::Transport>> SharedAcceptor::accept_now() {
  net::SocketAddress peer;
  while (net::Descriptor socket = listener_->accept_now(peer)) {
    if (auto path = path_over(std::move(socket), peer)) return path;
  }
  if (listener_->is_shut_down()) return errors::listener_closed;
  return std::unique_ptr<protocol::Transport>();
}

/// Null: the peer is not served. Its socket is closed then.
std::unique_ptr<protocol::Transport> SharedAcceptor::path_over(net::Descriptor socket,
                                                               const net::SocketAddress& peer) const {
  std::string who;
  const char* why = nullptr;
  LogLevel level = LogLevel::warning;
  std::unique_ptr<protocol::Transport> path;
  if (!is_of_user(socket.get(), settings_.user, who)) {
    why = "shared memory is for processes of one user";
  } else if (memory::is_exhausted()) {
    why = "memory is short";
  } else if (settings_.rules.serves != nullptr && !settings_.rules.serves(*settings_.rules.rules, peer)) {
    level = LogLevel::debug;
    why = "-ORBserverTransportRule does not let it";
  } else {
    std::string name = memory::is_known() ? std::string() : who;
    path = std::make_unique<SharedTransport>(std::move(socket), std::move(name), settings_.path);
    if (path == nullptr) why = "memory is short";
  }
  if (why != nullptr && log_enabled(level)) log(level, "shmiop", worded("% is not served: %", {who, why}));
  return path;
}

namespace {

std::unique_ptr<protocol::Acceptor> listen(const Plugin& plugin, std::string_view text, std::string& why) {
  const std::optional<Endpoint> endpoint = read_endpoint(text, why);
  if (!endpoint) return nullptr;
  if (this_place().empty()) {
    why = protocol::endpoint_error(
        text, "without /proc nothing says which processes share a machine; write uiop:// or iiop://");
    return nullptr;
  }
  std::string reason;
  const auto address = net::unix_address(endpoint->address, reason);
  auto listener = std::make_unique<net::Listener>();
  if (!address || !listener->open_path(*address, endpoint->options, reason)) {
    why = protocol::endpoint_error(text, reason);
    return nullptr;
  }
  auto acceptor = std::make_unique<SharedAcceptor>(std::move(listener));
  SharedAcceptor::Settings& settings = acceptor->settings();
  settings.address = endpoint->address;
  settings.fixed = !endpoint->fresh;
  settings.path = plugin.path_settings();
  settings.rules.serve_by_rules(std::make_shared<const protocol::TransportOptions>(plugin.options()));
  return acceptor;
}

}  // namespace

void add_listening(Plugin& plugin) noexcept { plugin.listens = listen; }

}  // namespace tenon::shmiop
