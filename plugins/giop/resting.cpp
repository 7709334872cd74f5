// SPDX-License-Identifier: Apache-2.0
//
// Connections that nobody reads: what the peer says there, CloseConnection or the end, is not seen, and what is sent behind it is lost.
// A sweep marks those that nobody has read since it came by last (rest()). The mark is a bit in the word by which a call becomes alone,
// so a call over a connection that is in use pays nothing for it; the first one over a marked connection looks at what has come before
// it sends. So does whoever watches it (Attendant), as soon as something comes.
#include "connection.hpp"

namespace tenon::giop {

void Connection::look() noexcept {
  if (!calls_.begin_look()) return;
  read_what_came();
  calls_.end_look();
  if (usable() && options_.clock != nullptr) options_.clock->used(*this);
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
