// SPDX-License-Identifier: Apache-2.0
//
// An end of a connection inside a process: two channels, which both ends share. Threads: as Transport asks.
#pragma once

#include <memory>

#include "plugins/inproc/channel.hpp"
#include "plugins/inproc/port.hpp"
#include "protocol/identity.hpp"
#include "protocol/transport.hpp"

namespace tenon::inproc {

struct Link final : RefCounted, memory::Of<memory::Kind::connections> {
  using SpinTime = std::optional<std::uint32_t>;
  Link(std::size_t most, SpinTime acceptor_spins_us, SpinTime connector_spins_us) noexcept
      : to_acceptor(most, acceptor_spins_us), to_connector(most, connector_spins_us) {}
  Channel to_acceptor;
  Channel to_connector;
};

enum class Side : std::uint8_t { connector, acceptor };

class MemoryTransport final : public protocol::Transport {
 public:
  MemoryTransport(Ref<Link> link, Ref<Port> port, Side side) noexcept;
  ~MemoryTransport() override;

  protocol::Transfer send(std::span<const cdr::Piece> gather, Deadline deadline) override {
    return out_.send(gather, deadline, send_ms_);
  }
  protocol::Transfer receive(MutableBytes into, Deadline deadline) override {
    return in_.receive(into, deadline, receive_ms_);
  }
  bool wait(Deadline deadline) override { return in_.wait(deadline, receive_ms_); }
  std::optional<int> poll_descriptor() const noexcept override;
  bool may_hold_unseen_bytes() const noexcept override { return in_.has_input(); }
  void set_timeouts(std::uint32_t send_ms, std::uint32_t receive_ms) override {
    send_ms_ = send_ms;
    receive_ms_ = receive_ms;
  }
  void shut_down() noexcept override;
  std::string peer() const override;
  std::string local() const override;
  bool identify(protocol::Identity& into) const override {
    protocol::identify_this_process(into);
    return true;
  }

  std::unique_ptr<MemoryTransport> behind;  ///< of Port, while this one waits there

 private:
  const Ref<Link> link_;
  Channel& out_;
  Channel& in_;
  const Ref<Port> port_;
  const Side side_;
  std::uint32_t send_ms_ = 0;
  std::uint32_t receive_ms_ = 0;
};

}  // namespace tenon::inproc
