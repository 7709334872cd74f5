// SPDX-License-Identifier: Apache-2.0
//
// Calls without a reply that may be left in the outbox (SYNC_NONE). Oneways that are lost with their connection are counted and noted in
// the log.
#include <string>

#include "base/joined.hpp"
#include "base/log.hpp"
#include "base/minor_codes.hpp"
#include "calling_connection.hpp"

namespace tenon::giop {

Status AttendedConnection::post(protocol::OutgoingCall& out) {
  if (const Status finished = finish_oneway(out); !finished) return finished;
  Call& call = Call::of(out);
  cdr::Writer& message = *out.arguments;
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

Status AttendedConnection::flush(Deadline deadline) noexcept {
  if (!outbox_.may_hold_some()) return {};
  look_if_resting();
  const Outbox::Outcome sent = outbox_.flush(deadline);
  if (sent.sent == Outbox::Sent::all) return {};
  if (sent.timed_out) return errors::send_timed_out;
  send_failed(sent.os_error);
  return errors::connection_lost;
}

void AttendedConnection::reminded() noexcept {
  look_if_resting();
  Deadline again;
  const Outbox::Outcome sent = outbox_.reminded(again);
  if (sent.sent != Outbox::Sent::all && !sent.timed_out) return send_failed(sent.os_error);
  // If the clock no longer takes reminders, the ORB is closing its connections, and that sends what is left.
  if (!again.is_never()) (void)options_.clock->remind(*this, again);
}

void AttendedConnection::drop_buffered() noexcept {
  const std::size_t lost = outbox_.drop();
  if (lost == 0) return;
  if (options_.clock != nullptr) options_.clock->count_lost(lost);
  if (!log_enabled(LogLevel::warning)) return;
  note(LogLevel::warning,
       {decimal(lost), " buffered oneways to ", transport_->peer(), " are lost with their connection"});
}

/// Buffered oneways are sent now; as long as the peer does not take them, the connection is not idle.
bool AttendedConnection::hold_calls() noexcept {
  if (outbox_.may_hold_some()) {
    look_if_resting();
    if (!outbox_.flush_now()) return false;
  }
  return CallingConnection::hold_calls();
}

}  // namespace tenon::giop
