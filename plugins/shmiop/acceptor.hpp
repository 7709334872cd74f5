// SPDX-License-Identifier: Apache-2.0
//
// Accepts connections whose peers run as the same user; all others are hung up on before anything that they sent is looked at. It does not
// wait for what a peer sends: a connection does that when it is read. Threads: as Acceptor asks.
#pragma once

#include <unistd.h>

#include <memory>
#include <string>

#include "net/listener.hpp"
#include "plugins/shmiop/shared_transport.hpp"
#include "plugins/stream/stream_transport.hpp"
#include "protocol/transport.hpp"

namespace tenon::shmiop {

class SharedAcceptor final : public protocol::Acceptor {
 public:
  struct Settings {
    std::string address;  ///< "@name"
    bool fixed = true;
    SharedTransport::Settings path = {};
    uid_t user = ::geteuid();                     ///< whose processes are served
    stream::StreamAcceptor::Settings rules = {};  ///< `serves` and `rules` of these
  };

  /// `listener` is open.
  explicit SharedAcceptor(std::unique_ptr<net::Listener> listener) : listener_(std::move(listener)) {}
  /// To be set before anything else is called.
  Settings& settings() noexcept { return settings_; }

  Result<std::unique_ptr<protocol::Transport>> accept() override;
  Result<std::unique_ptr<protocol::Transport>> accept_now() override;
  std::optional<int> poll_descriptor() const noexcept override { return listener_->descriptor(); }
  void shut_down() noexcept override { listener_->shut_down(); }
  void close() noexcept override { listener_->close(); }
  std::string endpoint() const override { return "shmiop://" + settings_.address; }
  std::vector<std::string> published() const override { return {settings_.address}; }
  bool fixed() const noexcept override { return settings_.fixed; }

 private:
  std::unique_ptr<protocol::Transport> path_over(net::Descriptor socket,
                                                 const net::SocketAddress& peer) const;

  std::unique_ptr<net::Listener> listener_;
  Settings settings_;
};

}  // namespace tenon::shmiop
