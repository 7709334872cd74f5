// SPDX-License-Identifier: Apache-2.0
//
// A byte path through two rings of shared memory, beside a Unix-domain socket. The socket tells when the peer has ended, however that
// was, and wakes pollers, which cannot see memory; whoever waits here by itself looks again for a while and then sleeps on a word in the ring.
// docs/decisions/0046-shared-memory.md says why.
//
// A thread that sleeps is not woken when the peer is killed: it looks after the socket whenever it has slept for as long again, first
// after first_look_ns, at least every last_look_ns.
//
// Threads: as Transport asks.
#pragma once

#include <atomic>
#include <string>

#include "base/thread_annotations.hpp"
#include "net/descriptor.hpp"
#include "net/spin.hpp"
#include "plugins/shmiop/hello.hpp"
#include "plugins/shmiop/ring.hpp"
#include "plugins/shmiop/segment.hpp"
#include "protocol/identity.hpp"
#include "protocol/transport.hpp"

namespace tenon::shmiop {

class SharedTransport final : public protocol::Transport {
 public:
  /// Later than the kernel's next tick: a nearer end makes it set the processor's timer for each sleep, which costs more than a wake-up.
  static constexpr std::uint32_t first_look_ms = 20;
  static constexpr std::int64_t first_look_ns = std::int64_t{first_look_ms} * 1'000'000;
  static constexpr std::int64_t last_look_ns = 500'000'000;
  /// Of a large message the reader gets so much at a time, so that both copy at the same time.
  static constexpr std::uint32_t part = 32u << 10;
  /// How long a send waits that is told not to. A poller that waits for room cannot see when there is some: it is told at once, and asks again.
  static constexpr std::int64_t no_room_pause_ns = 1'000'000;

  enum class Side : std::uint8_t { client, server };

  struct Settings {
    std::optional<std::uint32_t> spin_us = {};  ///< as in TransportOptions
    bool in_place =
        false;  ///< the peer is trusted not to change what it has sent: large messages may be read where they lie
  };
  /// Of a server, to which the memory will come over the socket.
  SharedTransport(net::Descriptor&& socket, std::string&& peer, Settings settings) noexcept;
  /// Of a client, which has sent it.
  SharedTransport(net::Descriptor&& socket, Segment&& segment, std::string&& peer,
                  Settings settings) noexcept;
  ~SharedTransport() override;

  protocol::Transfer send(std::span<const cdr::Piece> gather, Deadline deadline) override;
  protocol::Transfer receive(MutableBytes into, Deadline deadline) override;
  bool lends() const noexcept override { return lends_; }
  protocol::Transfer lend(ByteView& view, Deadline deadline) override;
  std::size_t lendable() const noexcept override { return in_place_ ? in_.largest_shown() : 0; }
  bool release(std::size_t used) noexcept override;
  Buffer keep(std::size_t used) noexcept override;
  bool wait(Deadline deadline) override;
  std::optional<int> poll_descriptor() const noexcept override;
  bool may_hold_unseen_bytes() const noexcept override { return is_open() && in_.has_input(); }
  void set_timeouts(std::uint32_t send_ms, std::uint32_t receive_ms) override {
    send_ms_ = send_ms;
    receive_ms_ = receive_ms;
    looks_first_ = receive_ms == 0 || receive_ms >= first_look_ms;
  }
  void shut_down() noexcept override TENON_EXCLUDES(greeting_);
  std::string peer() const override { return peer_; }
  std::string local() const override;
  bool identify(protocol::Identity& into) const override {
    return protocol::identify_unix_peer(socket_.get(), into);
  }

  /// How often a thread has gone to sleep on a word, and woken one. For tests.
  struct Counts {
    std::uint32_t sleeps = 0;
    std::uint32_t wakes = 0;
    std::uint32_t rings = 0;  ///< octets over the socket
  };
  Counts counts() const noexcept;

 private:
  bool is_open() const noexcept { return open_.load(std::memory_order_acquire); }
  void open(Segment&& segment, Side side) noexcept;
  protocol::Transfer greet(Deadline deadline, std::uint32_t usual_ms) noexcept TENON_EXCLUDES(greeting_);
  Greeting look_for_greeting(const char*& why) noexcept TENON_EXCLUDES(greeting_);

  protocol::Transfer send_other(std::span<const cdr::Piece> gather, Deadline deadline) noexcept;
  protocol::Transfer receive_part(MutableBytes into) noexcept;
  std::size_t take_along(MutableBytes into, std::size_t moved) noexcept;
  protocol::Transfer look_once() noexcept;
  enum class Sleep : std::uint8_t { ended_by_input, not_usual, in_vain };
  Sleep sleep_once(Deadline deadline) noexcept;
  protocol::Transfer await_input(Deadline deadline, Sleep so_far = Sleep::not_usual) noexcept;
  protocol::Transfer look_at_end(bool peer_ended) noexcept;
  bool input_or_end() const noexcept { return in_.has_input() || incoming_->closed.load() != 0 || shut(); }
  protocol::Transfer sleep_for_input(Deadline deadline, Sleep so_far) noexcept;
  protocol::Transfer await_room(Deadline deadline) noexcept;
  protocol::Transfer sleep_for_room(Deadline deadline) noexcept;
  bool peer_has_ended() const noexcept;
  bool shut() const noexcept { return shut_.load(); }

  /// Wakes the peer, which has said that it waits for what was written.
  void rouse_reader() noexcept {
    const State was = rouse(outgoing_->reader);
    if (was == asleep) [[likely]]
      count(wakes_by_sender_);
    else if (was == polled)
      ring_poller();
  }
  void ring_poller() noexcept;
  void rouse_writer() noexcept;
  void disarm() noexcept;
  void arm() noexcept;
  bool drain() noexcept;
  protocol::Transfer nonsense(const char* what) noexcept;

  const net::Descriptor socket_;
  const std::string peer_;
  const bool spins_;
  const bool lends_;
  std::uint32_t send_ms_ = 0;
  std::uint32_t receive_ms_ = 0;
  bool looks_first_ = true;  // the first look at the peer comes before receive_ms_ is over

  std::atomic<bool> open_{false};  // what follows is there, and stays
  Control* incoming_ = nullptr;
  Control* outgoing_ = nullptr;
  Segment segment_;
  bool in_place_ = false;    // messages are shown where they lie; of the receiving thread
  RingReader in_;            // used by the receiving thread
  RingWriter out_;           // used by the sending thread
  net::Spin spin_;           // of the receiving thread
  net::Spin spin_for_room_;  // of the sending thread

  Mutex greeting_;
  std::atomic<bool> shut_{false};
  mutable std::atomic<bool> polled_{false};  // a poller has been given the descriptor
  // The reading side's state is `polled`, or was, and the peer has taken it.
  mutable std::atomic<bool> armed_{false};
  bool octet_due_ = false;  // of the receiving thread: the peer has sent an octet, or is about to

  /// Each belongs to one thread; others may look.
  using Count = std::atomic<std::uint32_t>;
  static void count(Count& one) noexcept {
    one.store(one.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  }
  Count sleeps_{0};  // of the receiving thread
  Count wakes_by_receiver_{0};
  Count sleeps_for_room_{0};  // of the sending thread
  Count wakes_by_sender_{0};
  Count rings_{0};
};

}  // namespace tenon::shmiop
