// SPDX-License-Identifier: Apache-2.0
//
// What is done with the connections of an endpoint apart from calls: they are closed when they are idle, dropped when they have ended, and
// closed when the ORB ends.
#include <limits>
#include <utility>

#include "orb/client/endpoint.hpp"
#include "orb/threads/attendant.hpp"

namespace tenon::orb {

namespace {

/// A connection that has been used or opened within that time is not closed to make room for another one: a call over it may be about to
/// begin.
constexpr std::int64_t worth_closing_ms = 20;

}  // namespace

Endpoint::Connections Endpoint::all() {
  const LockGuard lock(mutex_);
  return connections_;
}

void Endpoint::close_idle(std::int64_t ms) noexcept {
  Connections idle = all();
  std::erase_if(idle, [ms](const auto& each) {
    return each->usable() && (each->transport().ms_idle() < ms || !each->close_if_idle());
  });
  if (!idle.empty()) drop_ended();
}

bool Endpoint::rest(Attendant* attendant, bool late) noexcept {
  // Bidirectional connections are read all the time.
  if (!opens_ || bidirectional_ != nullptr) return false;
  Connections watched = all();
  bool some_do_not = false;
  for (const auto& connection : watched) {
    if (!connection->usable()) continue;
    if (!connection->rest(late)) {
      some_do_not = true;
    } else if (attendant != nullptr) {
      attendant->watch_resting(connection, Ref<Endpoint>(this));
    }
  }
  watched.clear();
  drop_ended();
  return some_do_not;
}

void Endpoint::drop_ended() noexcept {
  Connections gone;  // declared before the lock: destroyed after it
  const LockGuard lock(mutex_);
  retire(gone, [](const protocol::Connection& connection) { return !connection.usable(); });
}

bool Endpoint::is_empty() noexcept {
  Connections gone;  // declared before the lock: destroyed after it
  const LockGuard lock(mutex_);
  retire(gone, [](const protocol::Connection& connection) { return !connection.usable(); });
  return connections_.empty() && retired_.empty() && opening_ == 0;
}

bool Endpoint::find_idle(Idles& into) {
  Connections gone;  // declared before the lock: destroyed after it
  const LockGuard lock(mutex_);
  retire(gone, [](const protocol::Connection& connection) { return !connection.usable(); });
  const std::int64_t since_last_ms = (steady_now() - opened_at_) / 1'000'000;
  for (const auto& connection : connections_) {
    if (!memory::can_grow(into)) break;
    const unsigned busy = connection->in_flight();
    if (busy != 0 && is_aside(*connection) && busy == connection->abandoned())
      into.push_back({connection, std::numeric_limits<std::int64_t>::max()});
    if (busy != 0) continue;
    const std::int64_t known_ms = connection->transport().ms_idle();
    const std::int64_t ms = known_ms < 0 ? since_last_ms : known_ms;
    if (ms >= worth_closing_ms) into.push_back({connection, ms});
  }
  return !gone.empty();
}

bool Endpoint::Idle::close() const noexcept {
  if (ms != std::numeric_limits<std::int64_t>::max()) return connection->close_if_idle();
  if (connection->in_flight() != connection->abandoned()) return false;
  connection->abort();
  return true;
}

void Endpoint::let_go() noexcept {
  Connections gone;  // declared before the lock: destroyed after it
  const LockGuard lock(mutex_);
  retire(gone, [](const protocol::Connection&) { return true; });
}

Status Endpoint::flush(Deadline deadline) {
  Status first;
  for (const auto& connection : all()) {
    const Status flushed = connection->flush(deadline);
    if (first) first = flushed;
  }
  return first;
}

void Endpoint::close_all_by(Deadline by) noexcept {
  {
    const LockGuard lock(mutex_);
    closed_ = Closed::with_orb;  // nothing is added from now on
  }
  const Connections connections = all();
  Connections gone;
  {
    const LockGuard lock(mutex_);
    retire(gone, [](const protocol::Connection&) { return true; });
    opened_.notify_all();
  }
  for (const auto& connection : connections) connection->close_by(by);
}

}  // namespace tenon::orb
