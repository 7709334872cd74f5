// SPDX-License-Identifier: Apache-2.0
//
// Calls without a reply, and those of them that are kept back (SYNC_NONE): they lie behind each other until a limit is reached, until
// another message goes over the connection, until their time has come or until the connection closes. Whoever sends takes them along,
// so the order of messages is the order of calls.
//
// A peer that does not read makes the caller wait once the limit is reached, as any send does: what is kept back does not grow. With
// the connection goes what it has kept back; that is counted and said in the log.
#include <atomic>
#include <string>

#include "base/log.hpp"
#include "base/minor_codes.hpp"
#include "connection.hpp"

namespace tenon::giop {

namespace {

/// After what time a reminder comes back that found the connection busy or its peer not reading.
constexpr std::int64_t again_after_ns = 2'000'000;

}  // namespace

/// What has become of a request for the caller.
Status Connection::sent_or_lost(Call& call, const SendOutcome& sent) noexcept {
  if (sent.sent != Sent::all) {
    // A request of which a part went out was not executed, but the stream is out of step.
    if (sent.sent == Sent::part || !sent.timed_out) send_failed(sent.os_error);
    call.completed = Completion::no;
    return sent.timed_out ? errors::send_timed_out : errors::connection_lost;
  }
  if (call.own_contexts != 0) {
    const std::lock_guard lock(state_mutex_);
    own_contexts_sent(call.own_contexts);
  }
  return {};
}

Status Connection::post(Call& call) {
  posted_.fetch_add(1, std::memory_order_relaxed);
  cdr::Writer& message = *call.arguments;
  finish_message(message);
  if (!message.good()) {
    call.completed = Completion::no;
    return message.error();
  }
  const protocol::Buffering& limits = call.spec.buffering;
  const bool keeps =
      call.spec.sync == protocol::Sync::none && message.size() < limits.octets &&
      (limits.time_ns == 0 || options_.clock != nullptr) &&
      !Fragmenter::wanted(MessageType::request, call.minor, message.size(), options_.limits.fragment_above);
  Deadline remind_at;
  const SendOutcome sent = keeps ? send_or_keep(call, remind_at)
                                 : transmit(message, MessageType::request, call.minor, call.spec.deadline);
  const Status outcome = sent_or_lost(call, sent);
  if (outcome && !remind_at.is_never() && !options_.clock->remind(*this, remind_at))
    return flush(call.spec.deadline);
  return outcome;
}

/// `remind_at`: when the connection wants to be reminded, if it is not going to be anyway.
Connection::SendOutcome Connection::send_or_keep(Call& call, Deadline& remind_at) {
  const protocol::Buffering& limits = call.spec.buffering;
  const cdr::Writer& message = *call.arguments;
  const std::size_t size = message.size();
  if (!keeps_.load(std::memory_order_relaxed)) {
    // With drop_kept(): either it sees this, or usable() here says no.
    keeps_.store(true, std::memory_order_relaxed);
    std::atomic_thread_fence(std::memory_order_seq_cst);
  }
  if (!send_gate_.lock_by(call.spec.deadline)) return {Sent::nothing, true};
  const GateHold hold(*this);
  if (!usable()) return {Sent::nothing, false};
  cdr::Piece whole{};
  std::vector<cdr::Piece> several;
  std::span<cdr::Piece> pieces(&whole, 1);
  if (message.contiguous()) {
    whole = {message.bytes().data(), size};
  } else {
    message.gather(several);
    pieces = several;
  }
  const bool first = kept_.empty();
  const bool enough = kept_.octets() + size >= limits.octets ||
                      (limits.messages != 0 && kept_.count() + 1 >= limits.messages);
  if (enough || !kept_.add(pieces, size, limits.octets)) return transmit(pieces, call.spec.deadline);
  kept_.to_go_within(limits.time_ns, first);
  if (kept_.due < kept_.reminder) remind_at = kept_.reminder = kept_.due;
  return {Sent::all, false};
}

/// What is kept back and then these, in one step as far as the transport takes it. What it says is about these.
Connection::SendOutcome Connection::send_behind_kept(std::span<cdr::Piece> pieces, Deadline deadline) {
  std::vector<cdr::Piece> all{kept_.piece()};
  all.insert(all.end(), pieces.begin(), pieces.end());
  while (true) {
    const protocol::Transfer moved = transport_->send(all, deadline);
    if (moved.result != protocol::Io::ok)
      return {Sent::nothing, moved.result == protocol::Io::timed_out, moved.os_error};
    const std::size_t kept = kept_.octets();
    if (moved.bytes < kept) {
      kept_.sent(moved.bytes);
      all.front() = kept_.piece();
      continue;
    }
    kept_.sent(kept);
    if (pieces.empty()) return {Sent::all, false};
    if (moved.bytes == kept) return send_rest(pieces, deadline);
    return go_on({protocol::Io::ok, moved.bytes - kept, 0}, pieces, deadline);
  }
}

Status Connection::flush(Deadline deadline) noexcept {
  if (!keeps_.load(std::memory_order_relaxed)) return {};
  look_if_resting();
  SendOutcome sent{Sent::all, false};
  {
    if (!send_gate_.lock_by(deadline)) return errors::send_timed_out;
    const GateHold hold(*this);
    if (!kept_.empty()) sent = send_behind_kept({}, deadline);
  }
  if (sent.sent == Sent::all) return {};
  if (sent.timed_out) return errors::send_timed_out;
  send_failed(sent.os_error);
  return errors::connection_lost;
}

/// Without waiting. True: nothing is kept back any more.
bool Connection::send_kept_now() noexcept {
  if (!keeps_.load(std::memory_order_relaxed)) return true;
  look_if_resting();
  if (!send_gate_.try_lock_any()) return false;
  const GateHold hold(*this);
  return kept_.empty() || send_behind_kept({}, Deadline::immediately()).sent == Sent::all;
}

void Connection::reminded() noexcept {
  look_if_resting();
  Deadline next;
  SendOutcome sent{Sent::all, false};
  if (send_gate_.try_lock_any()) {
    const GateHold hold(*this);
    kept_.reminder = Deadline::never();
    if (!kept_.empty() && kept_.due.expired()) {
      sent = send_behind_kept({}, Deadline::immediately());
      if (sent.timed_out) kept_.due = Deadline::after_ns(again_after_ns);
    }
    if (kept_.empty()) {
      (void)kept_.drop();
    } else if (sent.sent == Sent::all || sent.timed_out) {
      next = kept_.reminder = kept_.due;
    }
  } else {
    next = Deadline::after_ns(again_after_ns);
  }
  if (sent.sent != Sent::all && !sent.timed_out) return send_failed(sent.os_error);
  // Where there is no clock any more the ORB is closing its connections, which sends what is left.
  if (!next.is_never()) (void)options_.clock->remind(*this, next);
}

/// Of a connection that is no longer usable, and whose transport has been shut down.
void Connection::drop_kept() noexcept {
  std::atomic_thread_fence(std::memory_order_seq_cst);
  if (!keeps_.load(std::memory_order_relaxed)) return;
  std::size_t lost = 0;
  {
    send_gate_.lock();
    const GateHold hold(*this);
    lost = kept_.drop();
  }
  if (lost == 0) return;
  if (options_.clock != nullptr) options_.clock->count_lost(lost);
  if (log_enabled(LogLevel::warning)) {
    log(LogLevel::warning, "giop",
        std::to_string(lost) + " buffered oneways to " + transport_->peer() +
            " are lost with their connection");
  }
}

}  // namespace tenon::giop
