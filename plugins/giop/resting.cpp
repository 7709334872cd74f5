// SPDX-License-Identifier: Apache-2.0
//
// Connections that no thread reads: CloseConnection or the end of the stream is not noticed there, and what is sent after it is lost.
// A sweep (rest()) marks those that no thread has read since the last sweep. The mark is a bit in the word by which a call becomes alone,
// so a call over a connection that is in use pays nothing for it; the first one over a marked connection looks at what has come before
// it sends. So does the thread that watches the connection (Attendant), as soon as something comes.
#include "calling_connection.hpp"

namespace tenon::giop {

void AttendedConnection::look() noexcept {
  if (!calls_.begin_look()) return;
  read_what_came();
  calls_.end_look();
  if (usable() && options_.clock != nullptr) options_.clock->used(*this);
}

void AttendedConnection::read_what_came() noexcept {
  while (usable()) {
    switch (receiver_.next(Deadline::immediately())) {
      case Arrival::timed_out: return watch_unfinished();
      case Arrival::stalled: return lose(Ending::stalled);
      case Arrival::ended: return lose(Ending::lost, receiver_.os_error());
      case Arrival::malformed:
      case Arrival::too_large: return malformed();
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

Outbox::Room AttendedConnection::wait_for_room(Deadline deadline) noexcept {
  if (options_.clock == nullptr) return Outbox::Room::not_here;
  return options_.clock->wait_for_room(*this, deadline);
}

void AttendedConnection::look_for_stall() noexcept {
  const unsigned unanswered = abandoned();
  // If other calls are in flight beside the abandoned ones, these have time-outs of their own.
  find_stall(unanswered != 0 ? calls_.late_by() : Deadline::never(), in_flight() == unanswered);
}

/// Messages other than replies, such as CloseConnection, are left to the thread that reads next.
bool AttendedConnection::take_in_replies() noexcept {
  if (requests_come_in()) return false;
  while (true) {
    const Arrival arrival = receiver_.next(Deadline::immediately());
    if (arrival != Arrival::message) return arrival == Arrival::timed_out;
    const Message& message = receiver_.message();
    const MessageType type = message.header->type;
    const bool reply = type == MessageType::reply || type == MessageType::locate_reply;
    if (!reply && receiver_.put_back()) return false;
    if (!admit(message.header) || !reply) {
      receiver_.consume();
      return false;
    }
    (void)take_reply(message, nullptr);
    if (!usable()) return false;
  }
}

}  // namespace tenon::giop
