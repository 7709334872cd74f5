// SPDX-License-Identifier: Apache-2.0
#include "tapped_transport.hpp"

#include <algorithm>

namespace tenon::giop {
namespace {

class TappedTransport final : public protocol::Transport {
 public:
  TappedTransport(std::unique_ptr<protocol::Transport> transport, std::unique_ptr<Tap> tap) noexcept
      : transport_(std::move(transport)), tap_(std::move(tap)) {}

  protocol::Handshake handshake(Deadline deadline, std::string& why) override {
    return transport_->handshake(deadline, why);
  }
  protocol::Transfer send(std::span<const cdr::Piece> gather, Deadline deadline) override {
    const protocol::Transfer sent = transport_->send(gather, deadline);
    std::size_t left = sent.bytes;
    for (const cdr::Piece& piece : gather) {
      const std::size_t part = std::min(left, piece.size);
      if (part != 0) tap_->sent({piece.data, part});
      left -= part;
    }
    return sent;
  }
  protocol::Transfer receive(MutableBytes into, Deadline deadline) override {
    const protocol::Transfer got = transport_->receive(into, deadline);
    if (got.bytes != 0) tap_->received(into.first(got.bytes));
    return got;
  }
  bool lends() const noexcept override { return transport_->lends(); }
  protocol::Transfer lend(ByteView& view, Deadline deadline) override {
    const protocol::Transfer got = transport_->lend(view, deadline);
    lent_ = view;
    return got;
  }
  std::size_t lendable() const noexcept override { return transport_->lendable(); }
  bool release(std::size_t used) noexcept override {
    tap_->received(lent_.first(std::min(used, lent_.size())));
    lent_ = {};
    return transport_->release(used);
  }
  Buffer keep(std::size_t used) noexcept override {
    Buffer kept = transport_->keep(used);
    if (kept) tap_->received(lent_.first(std::min(used, lent_.size())));
    return kept;
  }
  bool wait(Deadline deadline) override { return transport_->wait(deadline); }
  std::optional<int> poll_descriptor() const noexcept override { return transport_->poll_descriptor(); }
  bool may_hold_unseen_bytes() const noexcept override { return transport_->may_hold_unseen_bytes(); }
  void set_timeouts(std::uint32_t send_ms, std::uint32_t receive_ms) override {
    transport_->set_timeouts(send_ms, receive_ms);
  }
  bool set_receive_timeout(std::uint32_t ms) override { return transport_->set_receive_timeout(ms); }
  void shut_down() noexcept override { transport_->shut_down(); }
  std::string peer() const override { return transport_->peer(); }
  std::string local() const override { return transport_->local(); }
  std::int64_t ms_since_send() const noexcept override { return transport_->ms_since_send(); }
  std::int64_t ms_idle() const noexcept override { return transport_->ms_idle(); }
  bool identify(protocol::Identity& into) const override { return transport_->identify(into); }

 private:
  std::unique_ptr<protocol::Transport> transport_;
  std::unique_ptr<Tap> tap_;
  ByteView lent_;
};

}  // namespace

std::unique_ptr<protocol::Transport> tapped(std::unique_ptr<protocol::Transport> transport,
                                            std::unique_ptr<Tap> tap) {
  void* const room = TappedTransport::operator new(sizeof(TappedTransport));
  if (room == nullptr) return transport;
  return std::unique_ptr<protocol::Transport>(new (room)
                                                  TappedTransport(std::move(transport), std::move(tap)));
}

}  // namespace tenon::giop
