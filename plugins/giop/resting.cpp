// SPDX-License-Identifier: Apache-2.0
//
// Connections that nobody reads: what the peer says there, CloseConnection or the end, is not seen, and what is sent behind it is lost.
// A sweep marks those that nobody has read since it came by last (rest()). The mark is a bit in the word by which a call becomes alone,
// so a call over a connection that is in use pays nothing for it; the first one over a marked connection looks at what has come before
// it sends. So does whoever watches it (Attendant), as soon as something comes.
#include "connection.hpp"

#include <mutex>

namespace tenon::giop {

bool Connection::rest(bool late) noexcept {
  // Calls with a reply read, oneways do not; one that has been begun and not been posted yet may count as either.
  const std::uint32_t asked = ids_.count() - posted_.load(std::memory_order_relaxed);
  const bool asked_since = asked_before_.exchange(asked, std::memory_order_relaxed) != asked;
  if ((asked_since && !late) || !usable()) return false;
  std::uint32_t now = calls_now_.load(std::memory_order_relaxed);
  do {
    if ((now & reading) != 0) return false;
    if ((now & resting) != 0) return true;
  } while (!calls_now_.compare_exchange_weak(now, now | resting, std::memory_order_relaxed));
  return true;
}

void Connection::look() noexcept {
  if (!begin_look()) return;
  read_what_came();
  {
    const std::lock_guard lock(state_mutex_);
    calls_now_.fetch_sub(1, std::memory_order_release);
    pass_reading_on();
  }
  if (usable() && options_.clock != nullptr) options_.clock->used(*this);
}

/// Ends the rest. True: this thread is to read, and counts as a call.
bool Connection::begin_look() noexcept {
  const std::lock_guard lock(state_mutex_);
  std::uint32_t now = calls_now_.load(std::memory_order_relaxed);
  std::uint32_t then = 0;
  do {
    if ((now & resting) == 0) return false;
    then = now & ~resting;
    if ((now & reading) == 0) then = (then + 1) | reading;
  } while (
      !calls_now_.compare_exchange_weak(now, then, std::memory_order_acq_rel, std::memory_order_relaxed));
  return (now & reading) == 0;
}

void Connection::read_what_came() noexcept {
  while (usable()) {
    switch (receiver_.next(Deadline::immediately())) {
      case Arrival::timed_out: return watch_unfinished();
      case Arrival::stalled: return lose(Ending::stalled);
      case Arrival::ended: return lose(Ending::lost, receiver_.os_error());
      case Arrival::malformed: return malformed();
      case Arrival::message: break;
    }
    const Message& message = receiver_.message();
    if (!admit(message.header)) return receiver_.consume();
    const bool reply =
        message.header->type == MessageType::reply || message.header->type == MessageType::locate_reply;
    if (reply) {
      (void)take_reply(message, nullptr);
    } else {
      receiver_.consume();
    }
    if (!receiver_.has_more()) return;
  }
}

}  // namespace tenon::giop
