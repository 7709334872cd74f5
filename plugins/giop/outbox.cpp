// SPDX-License-Identifier: Apache-2.0
#include "outbox.hpp"

#include "giop/control.hpp"

namespace tenon::giop {

namespace {

/// After what time reminded() wants to be called again that found the connection busy or its peer not reading.
constexpr std::int64_t again_after_ns = 2'000'000;

/// How long a control message may wait.
constexpr std::uint32_t control_ms = 100;

/// Whose input this thread takes in, with the gate.
constinit thread_local const Outbox* taking_in = nullptr;

}  // namespace

constinit std::atomic<const Outbox::Cutting*> Outbox::enabled_cutting{nullptr};

/// Transport::send(). While the peer does not read, what it sends is taken in, since it may wait for that.
protocol::Transfer Outbox::transfer(std::span<const cdr::Piece> pieces, Deadline deadline) {
  if (deadline.is_never())
    deadline = most_ms_ == 0 ? call_end_ : earlier(call_end_, Deadline::after_ms(most_ms_));
  while (input_ != nullptr && !deadline.is_immediate()) {
    const protocol::Transfer moved = transport_.send(pieces, Deadline::immediately());
    if (moved.result != protocol::Io::timed_out) return moved;
    taking_in = this;
    const Room room = input_->wait_for_room(deadline);
    taking_in = nullptr;
    if (room == Room::timed_out) return moved;
    if (room == Room::not_here) break;
  }
  return transport_.send(pieces, deadline);
}

[[gnu::always_inline]] inline Outbox::Outcome Outbox::send_large(cdr::Writer& message, MessageType type,
                                                                 std::uint8_t minor, Deadline deadline) {
  if (!life_.usable()) return {Sent::nothing};
  if (!message.in_parts() && !Fragmenter::wanted(type, minor, message.size(), fragment_above_))
    return send_whole(message, deadline);
  return (this->*cutting_->send_rest)(message, deadline);
}

/// With a deadline, in several pieces or fragments, when another thread sends, or behind what is buffered.
Outbox::Outcome Outbox::send_in_steps(cdr::Writer& message, MessageType type, std::uint8_t minor,
                                      Deadline deadline) {
  if (!gate_.lock_by(deadline)) return {Sent::nothing, true};
  const GateHold hold(*this);
  return send_large(message, type, minor, deadline);
}

Outbox::Outcome Outbox::send_in_steps_now(cdr::Writer& message, MessageType type, std::uint8_t minor,
                                          Deadline deadline) {
  return send_large(message, type, minor, deadline);
}

/// With the gate, around the sending of a call's message.
void Outbox::begin_slow_call(std::uint32_t most_ms) noexcept {
  if (most_ms != 0) call_end_ = Deadline::after_ms(most_ms);
}

void Outbox::end_slow_call(Outcome& outcome, std::int64_t& end_ns) noexcept {
  if (call_end_.is_never()) return;
  if (outcome.sent == Sent::all) outcome.sent = Sent::late;
  end_ns = call_end_.ns();
  call_end_ = Deadline::never();
}

Outbox::Outcome Outbox::send_whole(const cdr::Writer& message, Deadline deadline) {
  if (message.contiguous()) {
    cdr::Piece one{message.bytes().data(), message.size()};
    return send_pieces({&one, 1}, deadline);
  }
  cdr::Piece pieces[most_pieces];
  cdr::Writer::Place at;
  Outcome outcome;
  for (bool first = true; outcome.sent == Sent::all; first = false) {
    const std::size_t count = message.gather(pieces, at);
    if (count == 0) break;
    outcome = send_pieces({pieces, count}, deadline);
    if (outcome.sent == Sent::nothing && !first) outcome.sent = Sent::part;
  }
  return outcome;
}

Outbox::Outcome Outbox::send_pieces(std::span<cdr::Piece> pieces, Deadline deadline) {
  if (!buffered_.empty()) return (this->*send_behind_)(pieces, deadline);
  return go_on(transfer(pieces, deadline), pieces, deadline);
}

/// After a first try, which has not waited.
Outbox::Outcome Outbox::go_on_waiting(protocol::Transfer moved, cdr::Piece piece) {
  constexpr Deadline never = Deadline::never();
  return moved.result == protocol::Io::timed_out ? send_pieces({&piece, 1}, never)
                                                 : go_on(moved, {&piece, 1}, never);
}

/// After a first send of these pieces: sends what it left.
Outbox::Outcome Outbox::go_on(protocol::Transfer moved, std::span<cdr::Piece> pieces, Deadline deadline) {
  for (bool begun = false;; moved = transfer(pieces, deadline)) {
    if (moved.result != protocol::Io::ok)
      return {begun ? Sent::part : Sent::nothing, moved.result == protocol::Io::timed_out, moved.os_error};
    begun = true;
    std::size_t left = moved.bytes;
    while (!pieces.empty() && left >= pieces.front().size) {
      left -= pieces.front().size;
      pieces = pieces.subspan(1);
    }
    if (pieces.empty()) return {};
    pieces.front().data += left;
    pieces.front().size -= left;
  }
}

/// Sends what is buffered and then these pieces, in one step as far as the transport takes it. The outcome is that of these pieces.
Outbox::Outcome Outbox::send_behind_buffered(std::span<cdr::Piece> pieces, Deadline deadline) {
  cdr::Piece all[most_pieces] = {buffered_.piece()};
  const std::size_t behind = std::min(pieces.size(), most_pieces - 1);
  std::copy_n(pieces.begin(), behind, all + 1);
  while (true) {
    const protocol::Transfer moved = transfer({all, behind + 1}, deadline);
    if (moved.result != protocol::Io::ok)
      return {Sent::nothing, moved.result == protocol::Io::timed_out, moved.os_error};
    const std::size_t buffered = buffered_.octets();
    if (moved.bytes < buffered) {
      buffered_.sent(moved.bytes);
      all[0] = buffered_.piece();
      continue;
    }
    buffered_.sent(buffered);
    if (pieces.empty()) return {};
    if (moved.bytes == buffered) return send_pieces(pieces, deadline);
    return go_on({protocol::Io::ok, moved.bytes - buffered, 0}, pieces, deadline);
  }
}

Outbox::Outcome Outbox::send_or_buffer(const cdr::Writer& message, const protocol::Buffering& limits,
                                       Deadline deadline, Deadline& remind_at) {
  const std::size_t size = message.size();
  if (!may_hold_some()) {
    // With drop(): either it sees this, or usable() here says no.
    ever_buffered_.store(true, std::memory_order_relaxed);
    std::atomic_thread_fence(std::memory_order_seq_cst);
  }
  if (!gate_.lock_by(deadline)) return {Sent::nothing, true};
  const GateHold hold(*this);
  if (!life_.usable()) return {Sent::nothing};
  send_behind_ = &Outbox::send_behind_buffered;
  const bool first = buffered_.empty();
  const bool enough = buffered_.octets() + size >= limits.octets ||
                      (limits.messages != 0 && buffered_.count() + 1 >= limits.messages);
  if (enough || !buffered_.add(message, limits.octets)) return send_whole(message, deadline);
  buffered_.to_go_within(limits.time_ns, first);
  if (buffered_.due < buffered_.reminder) remind_at = buffered_.reminder = buffered_.due;
  return {};
}

Outbox::Outcome Outbox::flush(Deadline deadline) {
  if (!may_hold_some()) return {};
  if (!gate_.lock_by(deadline)) return {Sent::nothing, true};
  const GateHold hold(*this);
  return buffered_.empty() ? Outcome() : send_behind_buffered({}, deadline);
}

bool Outbox::flush_now() noexcept {
  if (!may_hold_some()) return true;
  if (!gate_.try_lock_any()) return false;
  const GateHold hold(*this);
  return buffered_.empty() || send_behind_buffered({}, Deadline::immediately()).sent == Sent::all;
}

Outbox::Outcome Outbox::reminded(Deadline& again) noexcept {
  if (!gate_.try_lock_any()) {
    again = Deadline::after_ns(again_after_ns);
    return {};
  }
  const GateHold hold(*this);
  Outcome outcome;
  buffered_.reminder = Deadline::never();
  if (!buffered_.empty() && buffered_.due.expired()) {
    outcome = send_behind_buffered({}, Deadline::immediately());
    if (outcome.timed_out) buffered_.due = Deadline::after_ns(again_after_ns);
  }
  if (buffered_.empty()) {
    (void)buffered_.drop();
  } else if (outcome.sent == Sent::all || outcome.timed_out) {
    again = buffered_.reminder = buffered_.due;
  }
  return outcome;
}

std::size_t Outbox::drop() noexcept {
  std::atomic_thread_fence(std::memory_order_seq_cst);
  if (!may_hold_some()) return 0;
  if (taking_in == this) return 0;  // it is being sent; send_failed() comes next
  gate_.lock();
  const GateHold hold(*this);
  return buffered_.drop();
}

Outbox::Outcome Outbox::send_control(ByteView message, Courtesy how, Deadline by) noexcept {
  if (taking_in == this) return {Sent::nothing};
  const Deadline deadline = earlier(by, Deadline::after_ms(control_ms));
  if (!(how == Courtesy::no_wait ? gate_.try_lock_any() : gate_.lock_by(deadline)))
    return {Sent::nothing, true};
  const GateHold hold(*this);
  if (how != Courtesy::last && !life_.usable()) return {Sent::nothing};
  cdr::Piece piece{message.data(), message.size()};
  const std::span<cdr::Piece> pieces(&piece, 1);
  if (how == Courtesy::last && buffered_.empty())
    return go_on(transport_.send_last(pieces, deadline), pieces, deadline);
  return send_pieces(pieces, deadline);
}

}  // namespace tenon::giop
