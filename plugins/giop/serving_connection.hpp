// SPDX-License-Identifier: Apache-2.0
//
// Connections whose requests this side serves.
#pragma once

#include "calling_connection.hpp"
#include "connection.hpp"

namespace tenon::giop {

/// One that this side has accepted.
class AcceptedConnection final : public Connection {
 public:
  AcceptedConnection(std::unique_ptr<protocol::Transport> transport, protocol::Role role,
                     const protocol::MessagingOptions& options)
      : Connection(std::move(transport), role, options, &Receiver::passed_over, nullptr) {}

  // Nobody calls over it: only an offer, which it does not take, would have it called.
  Status begin(protocol::OutgoingCall&, const protocol::Target&) override {
    return errors::no_connecting_part;
  }
  Status post(protocol::OutgoingCall&) override { return errors::no_connecting_part; }
  void end(protocol::OutgoingCall&) noexcept override {}
  unsigned in_flight() const noexcept override { return 0; }

  protocol::Served serve(protocol::Dispatcher& dispatcher, Deadline deadline) override;
  void look_for_stall() noexcept override { find_stall(Deadline::never(), false); }
};

/// Either side calls, once the one that has opened it has offered that (GIOP 1.2 §9.8).
class BidirectionalConnection final : public AttendedConnection {
 public:
  BidirectionalConnection(std::unique_ptr<protocol::Transport> transport, protocol::Role role,
                          const protocol::MessagingOptions& options)
      : AttendedConnection(std::move(transport), role, options, &Receiver::passed_over) {}

  protocol::Served serve(protocol::Dispatcher& dispatcher, Deadline deadline) override;

 private:
  void take_offer(const ContextList& contexts) noexcept override;
};

}  // namespace tenon::giop
