// SPDX-License-Identifier: Apache-2.0
//
// Requests whose calls have given up waiting: out of time, or cancelled. The peer may be busy with them, and a server that gives each
// connection a thread reads no further request until it has answered them. So such a request goes on counting as in flight, which
// keeps other calls away (Endpoint), until its reply has come or has taken too long. Somebody attends to the connection meanwhile.
#include "connection.hpp"

namespace tenon::giop {

/// After abandoned_one(), with no lock held: the connection will be looked at when the reply has taken too long.
void Connection::expect_late_replies() noexcept {
  const std::uint32_t usual_ms = options_.limits.receive_timeout_ms;
  const Deadline by =
      Deadline::after_ms(usual_ms != 0 ? usual_ms : protocol::ConnectionLimits().receive_timeout_ms);
  late_at_.store(by.ns());
  watch_by(by);
}

void Connection::abandoned_one() noexcept {
  calls_now_.fetch_add(1, std::memory_order_relaxed);
  abandoned_.fetch_add(1, std::memory_order_relaxed);
}

/// A reply has come that no call waits for.
void Connection::answered_late() noexcept {
  // A peer may answer what it was never asked.
  if (abandoned_.load(std::memory_order_relaxed) == 0) return;
  if (abandoned_.fetch_sub(1, std::memory_order_relaxed) == 1) late_at_.store(Deadline::never().ns());
  calls_now_.fetch_sub(1, std::memory_order_release);
}

}  // namespace tenon::giop
