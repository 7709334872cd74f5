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

class TcpListening final : public Listening {
 public:
  void configure(const protocol::TransportOptions& options) override {
    options_ = std::make_shared<const protocol::TransportOptions>(options);
  }
  std::unique_ptr<protocol::Acceptor> listen(const Plugin& plugin, std::string_view text,
                                             std::string& why) override;

 private:
  std::vector<std::string> addresses(const EndpointOptions* chosen, const Endpoint& endpoint,
                                     const net::SocketAddress& bound) const;

  std::shared_ptr<const protocol::TransportOptions> options_ =
      std::make_shared<const protocol::TransportOptions>();
};

std::vector<std::string> TcpListening::addresses(const EndpointOptions* chosen, const Endpoint& endpoint,
                                                 const net::SocketAddress& bound) const {
  const std::vector<net::SocketAddress> interfaces = net::interface_addresses();
  if (chosen != nullptr) return chosen->addresses(endpoint, bound, interfaces, *options_);
  std::vector<std::string> own;
  add_own_addresses(own, endpoint, bound, interfaces);
  return own;
}

std::unique_ptr<protocol::Acceptor> TcpListening::listen(const Plugin& plugin, std::string_view text,
                                                         std::string& why) {
  const EndpointOptions* const chosen = plugin.endpoint_options;
  if (chosen == nullptr &&
      (!options_->publish.empty() || !options_->publish_also.empty() || options_->publish_numbers)) {
    why = protocol::endpoint_error(text,
                                   "to choose addresses for references, the program's start-up must name "
                                   "tenon::parts::endpoint_options");
    return nullptr;
  }
  std::optional<Endpoint> endpoint = (chosen != nullptr ? chosen->read : read_plain_endpoint)(text, why);
  if (!endpoint) return nullptr;
  endpoint->options.buffers = options_->socket_buffers;
  std::string reason;
  auto listener = std::make_unique<net::Listener>();
  if (!listen_on(*endpoint, plugin.names.get(), *listener, reason)) {
    why = protocol::endpoint_error(text, reason);
    return nullptr;
  }
  const net::SocketAddress bound = listener->address();
  auto acceptor = std::make_unique<stream::StreamAcceptor>(std::move(listener));
  stream::StreamAcceptor::Settings& settings = acceptor->settings();
  settings.endpoint = endpoint_text(*endpoint, bound);
  settings.published = addresses(chosen, *endpoint, bound);
  settings.fixed = endpoint->listen.port != 0 && endpoint->last_port <= endpoint->listen.port;
  settings.highest_minor = endpoint->minor;
  settings.keep_alive = options_->keep_alive;
  if (!endpoint->keep_alive) settings.keep_alive.on = false;
  settings.transports = options_;
  return acceptor;
}

}  // namespace

void add_listening(Plugin& plugin) {
  plugin.listening = std::make_unique<TcpListening>();
  plugin.makes_profile = make_profile;
}

}  // namespace tenon::iiop
