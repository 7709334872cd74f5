// SPDX-License-Identifier: Apache-2.0
//
// A byte path over a connected stream socket, and the acceptor of such paths: what the plug-ins over TCP and Unix-domain sockets
// share. Which addresses there are, and what a profile says about them, is in the plug-ins.
//
// With an infinite deadline receive() is one system call, and so is send() of up to most_at_once octets. Threads: as Transport and Acceptor ask.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "net/listener.hpp"
#include "net/stream.hpp"
#include "protocol/transport.hpp"

namespace tenon::stream {

class StreamTransport : public protocol::Transport {
 public:
  /// Pieces that one send() hands to the kernel; more go with the next one.
  static constexpr std::size_t most_pieces = 128;
  /// Octets that go with one system call: the largest segment of the loopback interface, by IPv6 or IPv4. Of more than that the first part
  /// goes by itself: it wakes the receiver, which else sleeps until all is in the kernel. So both copy at the same time.
  static constexpr std::size_t most_at_once = 65463;
  static constexpr std::size_t first_part = 1024;

  StreamTransport(net::Descriptor&& socket, std::string&& peer) noexcept
      : stream_(std::move(socket)), peer_(std::move(peer)) {}

  protocol::Transfer send(std::span<const cdr::Piece> gather, Deadline deadline) override;
  protocol::Transfer send_last(std::span<const cdr::Piece> gather, Deadline deadline) override;
  protocol::Transfer receive(MutableBytes into, Deadline deadline) override;
  bool wait(Deadline deadline) override { return stream_.wait(deadline); }
  std::optional<int> poll_descriptor() const noexcept override { return stream_.descriptor(); }
  void set_timeouts(std::uint32_t send_ms, std::uint32_t receive_ms) override {
    stream_.set_timeouts(send_ms, receive_ms);
  }
  bool set_receive_timeout(std::uint32_t ms) override {
    stream_.set_receive_timeout(ms);
    return true;
  }
  void shut_down() noexcept override { stream_.shut_down(); }
  std::string peer() const override {
    return peer_.empty() ? net::peer_address(stream_.descriptor()).text() : peer_;
  }
  std::string local() const override { return net::local_address(stream_.descriptor()).text(); }
  /// Known for TCP only.
  std::int64_t ms_since_send() const noexcept override;
  std::int64_t ms_idle() const noexcept override;

 private:
  protocol::Transfer send_pieces(std::span<const cdr::Piece> gather, Deadline deadline);
  protocol::Transfer send_in_two(std::span<iovec> pieces, Deadline deadline);

  net::Stream stream_;
  // Kept, because the kernel forgets it when the peer closes. Empty where memory is known: then the kernel is asked.
  std::string peer_;
};

class StreamAcceptor final : public protocol::Acceptor {
 public:
  struct Settings {
    std::string endpoint;
    std::vector<std::string> published;
    bool fixed = true;
    std::optional<std::uint8_t> highest_minor = {};
    net::KeepAlive keep_alive = {};  ///< TCP only
    bool no_delay = true;            ///< TCP only
    std::optional<std::uint32_t> spin_us = {};
    net::SocketBuffers buffers = {};  ///< of Unix-domain connections; those of TCP inherit them
    /// Which peers are served; null: all.
    using Serves = bool(const protocol::TransportOptions& rules, const net::SocketAddress& peer) noexcept;
    Serves* serves = nullptr;
    std::shared_ptr<const protocol::TransportOptions> rules = {};

    /// Makes the path over a socket of a Unix-domain listener (add_unix_paths()), or hangs up on a peer that is not served; null: TCP.
    using Over = std::unique_ptr<protocol::Transport>(net::Descriptor&& socket, const Settings& settings);
    Over* over_unix = nullptr;

    /// For a Unix-domain listener; in unix_transport.cpp, so that only a program links it that has one.
    void add_unix_paths() noexcept;
    /// Those that TransportOptions::peer_rules let.
    void serve_by_rules(std::shared_ptr<const protocol::TransportOptions> options) noexcept;
  };

  /// `listener` is open.
  explicit StreamAcceptor(std::unique_ptr<net::Listener> listener) : listener_(std::move(listener)) {}
  /// To be set before anything else is called.
  Settings& settings() noexcept { return settings_; }

  Result<std::unique_ptr<protocol::Transport>> accept() override;
  Result<std::unique_ptr<protocol::Transport>> accept_now() override;
  std::optional<int> poll_descriptor() const noexcept override { return listener_->descriptor(); }
  void shut_down() noexcept override { listener_->shut_down(); }
  void close() noexcept override { listener_->close(); }
  std::string endpoint() const override { return settings_.endpoint; }
  std::vector<std::string> published() const override { return settings_.published; }
  bool fixed() const noexcept override { return settings_.fixed; }
  std::optional<std::uint8_t> highest_minor() const noexcept override { return settings_.highest_minor; }

 private:
  std::unique_ptr<protocol::Transport> path_over(net::Descriptor socket,
                                                 const net::SocketAddress& peer) const;

  std::unique_ptr<net::Listener> listener_;
  Settings settings_;
};

/// The Error of a connection that could not be made.
Error connect_error(int os_error) noexcept;

}  // namespace tenon::stream
