// SPDX-License-Identifier: Apache-2.0
//
// A transport whose messages are logged, in words and as octets, on their way through. It stands between a connection and its
// transport when the connection is made while LogLevel::trace is enabled; other connections do not know of it, so tracing costs
// nothing where it is off.
//
// Threads: as Transport asks; what comes and what goes have nothing in common here.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "giop/header.hpp"
#include "protocol/transport.hpp"

namespace tenon::giop {

/// Cuts the octets of one direction into messages, and logs each when it is whole.
class MessageLog {
 public:
  /// Of a longer message only the first octets are shown.
  static constexpr std::size_t most_shown = 4096;

  /// `way` is "->" or "<-".
  MessageLog(const char* way, std::string peer) : way_(way), peer_(std::move(peer)) {}
  void add(ByteView octets) noexcept;
  /// Nothing more comes: what there is of a message is shown as it is.
  void end() noexcept;

 private:
  void add_message(ByteView& octets);
  void show();

  const char* way_;
  std::string peer_;
  std::vector<std::uint8_t> shown_;  // the beginning of the message that is on its way
  std::size_t passed_ = 0;           // of it
  std::size_t total_ = header_size;  // as far as is known
  bool lost_ = false;                // what passes is no GIOP
};

class TracedTransport final : public protocol::Transport {
 public:
  explicit TracedTransport(std::unique_ptr<protocol::Transport> transport);
  ~TracedTransport() override;

  protocol::Transfer send(std::span<const cdr::Piece> gather, Deadline deadline) override;
  protocol::Transfer receive(MutableBytes into, Deadline deadline) override;
  bool lends() const noexcept override { return transport_->lends(); }
  protocol::Transfer lend(ByteView& view, Deadline deadline) override;
  void release(std::size_t used) noexcept override;
  bool wait(Deadline deadline) override { return transport_->wait(deadline); }
  std::optional<int> poll_descriptor() const noexcept override { return transport_->poll_descriptor(); }
  bool may_hold_unseen_bytes() const noexcept override { return transport_->may_hold_unseen_bytes(); }
  bool preserves_messages() const noexcept override { return transport_->preserves_messages(); }
  void set_timeouts(std::uint32_t send_ms, std::uint32_t receive_ms) override {
    transport_->set_timeouts(send_ms, receive_ms);
  }
  void shut_down() noexcept override { transport_->shut_down(); }
  std::string peer() const override { return transport_->peer(); }
  std::string local() const override { return transport_->local(); }
  std::int64_t ms_since_send() const noexcept override { return transport_->ms_since_send(); }

 private:
  std::unique_ptr<protocol::Transport> transport_;
  MessageLog out_;
  MessageLog in_;
  ByteView lent_;
};

}  // namespace tenon::giop
