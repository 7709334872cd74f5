// SPDX-License-Identifier: Apache-2.0
//
// Calls that no thread waits for. Their replies are read by whoever reads the connection anyway; where nobody does, their sink has
// somebody attend to it, who then holds the right to read until stay() says no.
//
// A call is in the table while it is being sent (preparing) and until its reply or failure is there (waiting). Who takes it out, under
// state_mutex_, tells its sink; what happens while it is being sent waits for start() to be done with it.
#include "connection.hpp"

#include <mutex>

#include "base/minor_codes.hpp"
#include "giop/control.hpp"

namespace tenon::giop {

Status Connection::start(Call& call) {
  cdr::Writer& message = *call.arguments;
  finish_message(message);
  Outbox::Outcome sent{Outbox::Sent::nothing};
  Status outcome = message.good() ? Status() : Status(message.error());
  if (outcome) {
    sent = outbox_.send(message, MessageType::request, call.minor, call.spec.deadline);
    if (sent.sent != Outbox::Sent::all) {
      if (sent.sent == Outbox::Sent::part || !sent.timed_out) send_failed(sent.os_error);
      outcome = sent.timed_out ? errors::send_timed_out : errors::connection_lost;
    }
  }
  const std::lock_guard lock(state_mutex_);
  Call::Sharing& sharing = *call.sharing;
  if (sent.sent == Outbox::Sent::all) own_contexts_sent(call.own_contexts);
  if (outcome && sharing.step == Call::Step::preparing) {
    sharing.step = Call::Step::waiting;
    ++unattended_;
    if (!somebody_reads() && find_attendant()) calls_now_.fetch_or(reading, std::memory_order_relaxed);
    return {};
  }
  forget(call);
  calls_now_.fetch_sub(1, std::memory_order_release);
  if (!outcome) {
    call.completed = Completion::no;
    return outcome;
  }
  call.completed = call.failure ? call.failure.completed : Completion::yes;
  if (call.failure) return call.failure;
  sharing.sink->done(call);
  return {};
}

/// By who holds the right to read, or before anybody does: has somebody attend to the connection if a call needs that, or the reply to
/// one that is over.
bool Connection::find_attendant() noexcept {
  if (unattended_ == 0) return abandoned() != 0 && options_.clock != nullptr && options_.clock->attend(*this);
  for (Call* call : calls_) {
    for (; call != nullptr; call = call->sharing->next) {
      if (call->sharing->sink == nullptr || call->sharing->step != Call::Step::waiting) continue;
      call->sharing->sink->attend(*this);
      return true;
    }
  }
  return false;
}

bool Connection::stay() noexcept {
  const std::lock_guard lock(state_mutex_);
  for (; receiver_.take_dropped();) answered_late();
  if (unattended_ != 0 || abandoned() != 0) return true;
  pass_reading_on();
  return false;
}

bool Connection::abandon(Call& call) noexcept {
  {
    const std::lock_guard lock(state_mutex_);
    if (call.sharing->step != Call::Step::waiting) return false;
    call.sharing->step = Call::Step::done;
    forget(call);
    --unattended_;
    abandoned_one();
    calls_now_.fetch_sub(1, std::memory_order_release);
  }
  expect_late_replies();
  if (options_.cancel_requests)
    send_control(cancel_request(call.request_id, call.minor), Outbox::Courtesy::no_wait);
  return true;
}

}  // namespace tenon::giop
