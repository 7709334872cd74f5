// SPDX-License-Identifier: Apache-2.0
//
// Listens for TCP connections.
#include "cdr/value_memory.hpp"
#include "plugins/iiop/endpoint.hpp"
#include "plugins/iiop/iiop.hpp"
#include "plugins/iiop/plugin.hpp"
#include "plugins/stream/stream_transport.hpp"
#include "protocol/endpoint_text.hpp"

namespace tenon::iiop {
namespace {

class TcpListening final : public Listening {
 public:
  void configure(const Plugin& plugin, const protocol::TransportOptions& options) override {
    if (plugin.endpoint_options != nullptr) options_ = plugin.endpoint_options->keep(options);
    wants_options_ = !options.publish.empty() || !options.publish_also.empty() || options.publish_numbers ||
                     !options.peer_rules.empty();
  }
  std::unique_ptr<protocol::Acceptor> listen(const Plugin& plugin, std::string_view text,
                                             std::string& why) override;

 private:
  KeptOptions options_;         // where the plug-in has endpoint_options
  bool wants_options_ = false;  // the ORB's options say what only endpoint_options can do
};

std::unique_ptr<protocol::Acceptor> TcpListening::listen(const Plugin& plugin, std::string_view text,
                                                         std::string& why) {
  const EndpointOptions* const chosen = plugin.endpoint_options;
  if (chosen == nullptr && wants_options_) {
    why = protocol::endpoint_error(text,
                                   "to choose addresses for references, or peers, the program's start-up "
                                   "must name tenon::parts::endpoint_options");
    return nullptr;
  }
  std::optional<Endpoint> endpoint = (chosen != nullptr ? chosen->read : read_plain_endpoint)(text, why);
  if (!endpoint) return nullptr;
  const Plugin::Settings& own = plugin.settings();
  endpoint->options.buffers = own.buffers;
  std::string reason;
  auto listener = std::make_unique<net::Listener>();
  if (!listen_on(*endpoint, plugin.names.get(), *listener, reason)) {
    why = protocol::endpoint_error(text, reason);
    return nullptr;
  }
  const net::SocketAddress& bound = listener->address();
  auto acceptor = std::make_unique<stream::StreamAcceptor>(std::move(listener));
  stream::StreamAcceptor::Settings& settings = acceptor->settings();
  settings.endpoint = endpoint_text(*endpoint, bound);
  settings.fixed = endpoint->listen.port != 0 && endpoint->last_port <= endpoint->listen.port;
  settings.highest_minor = endpoint->minor;
  settings.keep_alive = own.keep_alive;
  if (!endpoint->keep_alive) settings.keep_alive.on = false;
  settings.no_delay = own.no_delay;
  settings.spin_us = own.spin_us;
  const std::vector<net::SocketAddress> interfaces = net::interface_addresses();
  if (chosen != nullptr) {
    chosen->apply(*endpoint, bound, interfaces, options_, settings);
  } else if (cdr::reserve(settings.published, most_own_addresses)) {
    add_own_addresses(settings.published, *endpoint, bound, interfaces);
  }
  return acceptor;
}

}  // namespace

void add_listening(Plugin& plugin) {
  plugin.listening = std::make_unique<TcpListening>();
  plugin.makes_profile = make_profile;
}

}  // namespace tenon::iiop
