// SPDX-License-Identifier: Apache-2.0
//
// Asynchronous calls. Their replies are read by the thread that reads the connection anyway; if there is none, their sink passes the
// connection to the attendant, which has the right to read until stay() returns false.
#include "connection.hpp"

#include "base/minor_codes.hpp"
#include "giop/control.hpp"

namespace tenon::giop {

Status Connection::start(protocol::OutgoingCall& out) {
  Call& call = Call::of(out);
  cdr::Writer& message = *out.arguments;
  finish_message(message);
  Outbox::Outcome sent{Outbox::Sent::nothing};
  Status outcome = message.good() ? Status() : Status(message.error());
  if (outcome) {
    sent = outbox_.send(message, MessageType::request, call.minor, out.spec.deadline);
    if (sent.sent != Outbox::Sent::all) {
      if (sent.sent == Outbox::Sent::part || !sent.timed_out) send_failed(sent.os_error);
      outcome = sent.timed_out ? errors::send_timed_out : errors::connection_lost;
    }
  }
  if (sent.sent == Outbox::Sent::all && call.own_contexts != 0) {
    const LockGuard lock(state_mutex_);
    own_contexts_sent(call.own_contexts);
  }
  return calls_.started(call, outcome);
}

bool Connection::stay() noexcept {
  unsigned answered = 0;
  while (receiver_.take_dropped()) ++answered;
  return calls_.stay(answered);
}

bool Connection::abandon(protocol::OutgoingCall& out) noexcept {
  Call& call = Call::of(out);
  if (!calls_.abandon(call, late_after_ns())) return false;
  watch_by(calls_.late_by());
  return true;
}

void Connection::cancel(protocol::OutgoingCall& out) noexcept {
  const Call& call = Call::of(out);
  if (options_.cancel_requests)
    send_control(cancel_request(call.request_id, call.minor), Outbox::Courtesy::no_wait);
}

}  // namespace tenon::giop
