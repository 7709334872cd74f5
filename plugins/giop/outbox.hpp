// SPDX-License-Identifier: Apache-2.0
//
// How messages leave a connection: whole, one behind the other, in the order in which threads hand them over. Oneways may be buffered
// (SYNC_NONE) until a limit is reached, another message goes out, their time has come or the connection closes. They go out before any
// other message, so the order of messages is the order of calls.
//
// A peer that does not read makes the sender wait, for its deadline or the connection's time-out. That begins anew whenever the transport has
// taken some of the message, which the end of a call's time does not. What is buffered does not grow beyond its limit. What the buffer holds
// when the connection ends is lost, and counted.
//
// Threads: any. A gate is held while one message is sent, and guards what is buffered. After the connection's life has ended
// (LifeCycle::usable()) nothing goes out but CloseConnection.
#pragma once

#include <algorithm>
#include <atomic>
#include <mutex>
#include <span>

#include "buffered_messages.hpp"
#include "giop/fragments.hpp"
#include "giop/header.hpp"
#include "life_cycle.hpp"
#include "protocol/messaging.hpp"
#include "send_gate.hpp"

namespace tenon::giop {

class CallingConnection;
class Incoming;
struct Call;

class Outbox {
 public:
  using Room = protocol::ConnectionClock::Room;
  /// Reads what the peer sends while it does not read.
  class Input {
   public:
    /// As ConnectionClock::wait_for_room(). The thread that holds the gate calls it.
    virtual Room wait_for_room(Deadline deadline) noexcept = 0;

   protected:
    ~Input() = default;
  };

  struct Cutting;

  /// Transport, life and input must live as long. `fragment_above`: as in protocol::ConnectionLimits, where enable_fragments() was called;
  /// else no message is cut. `most_ms`: how long a message without a deadline may wait until the transport takes more of it;
  /// 0: any time. `input`: null if others read.
  Outbox(protocol::Transport& transport, const LifeCycle& life, std::size_t fragment_above,
         std::uint32_t most_ms, Input* input) noexcept
      : transport_(transport),
        life_(life),
        cutting_(fragment_above == 0 ? nullptr : enabled_cutting.load()),
        fragment_above_(cutting_ == nullptr ? 0 : fragment_above),
        most_ms_(most_ms),
        input_(input) {}
  Outbox(const Outbox&) = delete;
  Outbox& operator=(const Outbox&) = delete;

  enum class Sent : std::uint8_t {
    all,
    late,  ///< all of a call's request, which may have waited
    nothing,
    part,  ///< the stream is out of step: the connection must end
  };
  struct Outcome {
    Sent sent = Sent::all;
    bool timed_out = false;
    int os_error = 0;
  };

  /// Sends a finished message, or what is left of one that goes out in parts, in fragments if it is larger than `fragment_above`.
  Outcome send(cdr::Writer& message, MessageType type, std::uint8_t minor, Deadline deadline) {
    if (!deadline.is_never() || !message.contiguous() || fragment_above_ != 0) [[unlikely]]
      return send_in_steps(message, type, minor, deadline);
    if (!gate_.try_lock()) [[unlikely]]
      return send_in_steps(message, type, minor, deadline);
    const std::lock_guard lock(gate_, std::adopt_lock);
    if (!life_.usable()) [[unlikely]]
      return {Sent::nothing};
    const ByteView bytes = message.bytes();
    const cdr::Piece piece{bytes.data(), bytes.size()};
    const protocol::Transfer moved = transport_.send({&piece, 1}, Deadline::immediately());
    if (moved.result == protocol::Io::ok && moved.bytes == piece.size) [[likely]]
      return {};
    return go_on_waiting(moved, piece);
  }
  /// As send(), if no other thread is sending, and if `calls.only_one()` with the gate held: no other message goes out in between. False:
  /// nothing has been done, and the outcome is as it was. A call without a deadline may take `limits`.receive_timeout_ms; `end_ns` is set
  /// to when that is over on the steady clock, if the outcome is Sent::late.
  template <typename Calls>
  [[gnu::always_inline]] bool send_if(const Calls& calls, Outcome& outcome, cdr::Writer& message,
                                      MessageType type, std::uint8_t minor, Deadline deadline,
                                      const protocol::ConnectionLimits& limits, std::int64_t& end_ns) {
    if (!gate_.try_lock()) [[unlikely]]
      return false;
    const std::lock_guard lock(gate_, std::adopt_lock);
    if (!calls.only_one()) [[unlikely]]
      return false;
    if (!deadline.is_never() || !message.contiguous() || fragment_above_ != 0) [[unlikely]] {
      if (deadline.is_never()) begin_slow_call(limits.receive_timeout_ms);
      outcome = send_in_steps_now(message, type, minor, deadline);
      end_slow_call(outcome, end_ns);
      return true;
    }
    // Twice because a server links send() alone, and a request goes through no function more than it must.
    if (!life_.usable()) [[unlikely]] {
      outcome.sent = Sent::nothing;
      return true;
    }
    const ByteView bytes = message.bytes();
    const cdr::Piece piece{bytes.data(), bytes.size()};
    const protocol::Transfer moved = transport_.send({&piece, 1}, Deadline::immediately());
    if (moved.result == protocol::Io::ok && moved.bytes == piece.size) [[likely]]
      return true;
    begin_slow_call(limits.receive_timeout_ms);
    outcome = go_on_waiting(moved, piece);
    end_slow_call(outcome, end_ns);
    return true;
  }

  /// Sends a part of a message (cdr::PartSink) in fragments; `more`: it is not the last one. Other messages may go out between the parts.
  Outcome send_part(std::span<const cdr::Piece> part, bool more, Deadline deadline);
  /// Most octets of a fragment; 0: messages are not cut.
  std::size_t fragment_size() const noexcept {
    return fragment_above_ == 0 ? 0 : std::max(fragment_above_, Fragmenter::smallest);
  }
  /// Null: messages are not cut.
  const Cutting* cutting() const noexcept { return cutting_; }
  /// What enable_fragments() sets.
  static constinit std::atomic<const Cutting*> enabled_cutting;

  /// Sends a finished oneway request, or buffers it within `limits`. `remind_at` is set to when reminded() must be called, if it is not
  /// going to be called by then anyway.
  Outcome send_or_buffer(const cdr::Writer& message, const protocol::Buffering& limits, Deadline deadline,
                         Deadline& remind_at);
  /// False: no oneway was ever buffered.
  bool may_hold_some() const noexcept { return ever_buffered_.load(std::memory_order_relaxed); }
  /// Sends what is buffered. Sent::nothing and timed_out: some of it still is.
  Outcome flush(Deadline deadline);
  /// As flush(), without waiting, and only if no other thread is sending. True: nothing is buffered any more.
  bool flush_now() noexcept;
  /// Sends what is buffered if it is due, without waiting. `again`: when to call next; never: not before something else is buffered.
  Outcome reminded(Deadline& again) noexcept;
  /// Drops what is buffered, when the connection is no longer usable. Returns how many oneways these were.
  std::size_t drop() noexcept;

  enum class Courtesy : std::uint8_t {
    usual,
    no_wait,  ///< not sent when another thread is sending
    last,     ///< sent although the connection is no longer usable
  };
  /// Sends a message that the peer can do without: waits until `by`, and for a tenth of a second at most.
  Outcome send_control(ByteView message, Courtesy how = Courtesy::usual,
                       Deadline by = Deadline::never()) noexcept;

 private:
  /// Gives back the gate, which has been taken, by unlock() or unlock_buffered(), as what is buffered demands.
  class GateHold {
   public:
    explicit GateHold(Outbox& outbox) noexcept : outbox_(outbox) {}
    ~GateHold() { outbox_.buffered_.empty() ? outbox_.gate_.unlock() : outbox_.gate_.unlock_buffered(); }
    GateHold(const GateHold&) = delete;
    GateHold& operator=(const GateHold&) = delete;

   private:
    Outbox& outbox_;
  };
  /// Pieces that are handed on together, as many as stream transports take at a time.
  static constexpr std::size_t most_pieces = 128;
  Outcome send_in_steps(cdr::Writer& message, MessageType type, std::uint8_t minor, Deadline deadline);
  Outcome send_whole(const cdr::Writer& message, Deadline deadline);
  friend struct InFragments;
  Outcome send_rest(cdr::Writer& message, Deadline deadline);
  Outcome send_fragments(Fragmenter& fragmenter, Deadline deadline);
  // with the gate
  Outcome send_in_steps_now(cdr::Writer& message, MessageType type, std::uint8_t minor, Deadline deadline);
  Outcome send_large(cdr::Writer& message, MessageType type, std::uint8_t minor, Deadline deadline);
  protocol::Transfer transfer(std::span<const cdr::Piece> pieces, Deadline deadline);
  Outcome send_pieces(std::span<cdr::Piece> pieces, Deadline deadline);
  Outcome send_behind_buffered(std::span<cdr::Piece> pieces, Deadline deadline);
  Outcome go_on(protocol::Transfer moved, std::span<cdr::Piece> pieces, Deadline deadline);
  [[gnu::cold]] Outcome go_on_waiting(protocol::Transfer moved, cdr::Piece piece);
  [[gnu::cold]] void begin_slow_call(std::uint32_t most_ms) noexcept;
  [[gnu::cold]] void end_slow_call(Outcome& outcome, std::int64_t& end_ns) noexcept;

  protocol::Transport& transport_;
  const LifeCycle& life_;
  const Cutting* const cutting_;
  const std::size_t fragment_above_;
  const std::uint32_t most_ms_;
  Input* const input_;
  Deadline call_end_;  // under gate_: until when a message without a deadline may go out
  SendGate gate_;
  BufferedMessages buffered_;                                                  // under gate_
  Outcome (Outbox::*send_behind_)(std::span<cdr::Piece>, Deadline) = nullptr;  // where something is buffered
  std::atomic<bool> ever_buffered_{false};
};

/// How messages are sent in fragments: reached through these alone (in_fragments.cpp), so that a program that cuts none does not link it.
struct Outbox::Cutting {
  /// Sends what the writer holds of a message. With the gate.
  Outcome (Outbox::*send_rest)(cdr::Writer& message, Deadline deadline);
  /// The request goes out in parts while its arguments are being written.
  void (*begin_request)(CallingConnection& connection, Call& call, std::size_t fragment) noexcept;
  void (CallingConnection::*take_back)(const Call& call) noexcept;
  cdr::Writer& (Incoming::*new_writer)();
  void (Incoming::*cut_off)() noexcept;
};

}  // namespace tenon::giop
