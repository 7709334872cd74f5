// SPDX-License-Identifier: Apache-2.0
//
// Calls without a reply: sent at once, or left in the outbox (SYNC_NONE). Oneways that are lost with their connection are counted and
// noted in the log.
#include <string>

#include "base/log.hpp"
#include "base/minor_codes.hpp"
#include "connection.hpp"
#include "giop/control.hpp"

namespace tenon::giop {

/// What the caller of a request is told about sending it.
Status Connection::sent_or_lost(Call& call, const Outbox::Outcome& sent) noexcept {
  if (sent.sent != Outbox::Sent::all) {
    // A request of which a part went out was not executed, but the stream is out of step.
    if (sent.sent == Outbox::Sent::part || !sent.timed_out) send_failed(sent.os_error);
    call.out().completed = Completion::no;
    return sent.timed_out ? errors::send_timed_out : errors::connection_lost;
  }
  if (call.own_contexts != 0) {
    const LockGuard lock(state_mutex_);
    own_contexts_sent(call.own_contexts);
  }
  return {};
}

Status RequestInParts::take(std::span<const cdr::Piece> part) noexcept {
  write_fragment_start(start(), part.front().data);
  return connection_.send_part(call_, part);
}

Status Connection::send_part(Call& call, std::span<const cdr::Piece> part) noexcept {
  const Outbox::Outcome sent = outbox_.send_part(part, true, call.out().spec.deadline);
  return sent.sent == Outbox::Sent::all ? Status() : sent_or_lost(call, sent);
}

/// The peer has parts of a request whose rest could not be written or sent: it is told to forget them (§9.4.9).
void Connection::take_back(const Call& call) noexcept {
  if (usable() && outbox_.send_control(cancel_request(call.request_id, call.minor)).sent != Outbox::Sent::all)
    send_failed(0);
}

Status Connection::post(protocol::OutgoingCall& out) {
  Call& call = Call::of(out);
  cdr::Writer& message = *out.arguments;
  finish_message(message);
  if (!message.good()) {
    out.completed = Completion::no;
    return message.error();
  }
  calls_.count_oneway();
  const protocol::Buffering& limits = out.spec.buffering;
  const Deadline deadline = out.spec.deadline;
  const bool may_wait =
      out.spec.sync == protocol::Sync::none && message.size() < limits.octets && !message.in_parts() &&
      (limits.time_ns == 0 || options_.clock != nullptr) &&
      !Fragmenter::wanted(MessageType::request, call.minor, message.size(), options_.limits.fragment_above);
  Deadline remind_at;
  const Outbox::Outcome sent = may_wait ? outbox_.send_or_buffer(message, limits, deadline, remind_at)
                                        : outbox_.send(message, MessageType::request, call.minor, deadline);
  const Status outcome = sent_or_lost(call, sent);
  if (outcome && !remind_at.is_never() && !options_.clock->remind(*this, remind_at)) return flush(deadline);
  return outcome;
}

Status Connection::flush(Deadline deadline) noexcept {
  if (!outbox_.may_hold_some()) return {};
  look_if_resting();
  const Outbox::Outcome sent = outbox_.flush(deadline);
  if (sent.sent == Outbox::Sent::all) return {};
  if (sent.timed_out) return errors::send_timed_out;
  send_failed(sent.os_error);
  return errors::connection_lost;
}

void Connection::reminded() noexcept {
  look_if_resting();
  Deadline again;
  const Outbox::Outcome sent = outbox_.reminded(again);
  if (sent.sent != Outbox::Sent::all && !sent.timed_out) return send_failed(sent.os_error);
  // If the clock no longer takes reminders, the ORB is closing its connections, and that sends what is left.
  if (!again.is_never()) (void)options_.clock->remind(*this, again);
}

/// Called when the connection is no longer usable and its transport has been shut down.
void Connection::drop_buffered() noexcept {
  const std::size_t lost = outbox_.drop();
  if (lost == 0) return;
  if (options_.clock != nullptr) options_.clock->count_lost(lost);
  if (log_enabled(LogLevel::warning)) {
    log(LogLevel::warning, "giop",
        std::to_string(lost) + " buffered oneways to " + transport_->peer() +
            " are lost with their connection");
  }
}

}  // namespace tenon::giop
