// SPDX-License-Identifier: Apache-2.0
//
// Asynchronous calls. Their replies are read by the thread that reads the connection anyway; if there is none, their sink passes the
// connection to the attendant, which has the right to read until stay() returns false.
#include "calling_connection.hpp"

#include "base/minor_codes.hpp"
#include "giop/control.hpp"

namespace tenon::giop {

Status AttendedConnection::begin_asynchronous(protocol::OutgoingCall& out, protocol::Sink& sink,
                                              const protocol::Target& target) {
  Call& call = out.make<Call>();
  look_if_resting();
  if (const Status begun = begin_sharing(call, target, &sink); !begun) return begun;
  write_request_header(call, target);
  return {};
}

Status AttendedConnection::start(protocol::OutgoingCall& out) {
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

bool AttendedConnection::stay() noexcept {
  unsigned answered = 0;
  while (receiver_.take_dropped()) ++answered;
  return calls_.stay(answered);
}

bool AttendedConnection::abandon(protocol::OutgoingCall& out) noexcept {
  Call& call = Call::of(out);
  if (!calls_.abandon(call, late_after_ns())) return false;
  watch_by(calls_.late_by());
  return true;
}

protocol::Served AttendedConnection::serve(protocol::Dispatcher&, Deadline deadline) {
  const Arrival arrival = receiver_.next(deadline);
  switch (arrival) {
    case Arrival::message: break;
    case Arrival::timed_out:
      if (!deadline.is_never()) watch_unfinished();
      return protocol::Served::idle;
    case Arrival::malformed:
    case Arrival::too_large: malformed(); return protocol::Served::closed;
    case Arrival::stalled: lose(Ending::stalled); return protocol::Served::closed;
    case Arrival::ended: lose(Ending::lost); return protocol::Served::closed;
  }
  const Message& message = receiver_.message();
  const MessageType type = message.header->type;
  if (admit(message.header) && (type == MessageType::reply || type == MessageType::locate_reply)) {
    (void)take_reply(message, nullptr);
  } else {
    receiver_.consume();
  }
  return usable() ? protocol::Served::message : protocol::Served::closed;
}

}  // namespace tenon::giop
