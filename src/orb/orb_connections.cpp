// SPDX-License-Identifier: Apache-2.0
//
// What an ORB does about its connections apart from calls: closes idle ones, makes room at the limit, sends buffered oneways, keeps time.
// It holds no lock of its own while it calls endpoints and connections.
#include <algorithm>
#include <new>

#include "orb/client/outgoing_limit.hpp"
#include "orb/orb.hpp"
#include "orb/server/server.hpp"
#include "orb/threads/attendant.hpp"
#include "orb/threads/idle_sweep.hpp"
#include "orb/threads/rest_sweep.hpp"

namespace tenon::orb {

std::vector<Ref<Endpoint>> Orb::all_endpoints() const {
  std::vector<Ref<Endpoint>> endpoints;
  const LockGuard lock(mutex_);
  for (const auto& [key, endpoint] : endpoints_) endpoints.push_back(endpoint);
  return endpoints;
}

std::size_t Orb::addresses_known() const {
  const LockGuard lock(mutex_);
  return endpoints_.size();
}

/// Takes endpoints out of the table that no reference uses and that have no connection: if only the table holds one, no other thread can
/// get at it without the lock. Addresses where connecting has failed lately are worth keeping, up to most_failed. The caller drops the
/// result without the lock.
std::vector<Ref<Endpoint>> Orb::forget_addresses() {
  constexpr std::size_t most_failed = 1000;
  std::vector<Ref<Endpoint>> forgotten;
  std::size_t failed = 0;
  for (auto at = endpoints_.begin(); at != endpoints_.end();) {
    Endpoint& endpoint = *at->second;
    if (!endpoint.has_one_ref() || !endpoint.is_empty() ||
        (endpoint.failed_lately() && ++failed <= most_failed)) {
      ++at;
      continue;
    }
    forgotten.push_back(std::move(at->second));
    at = endpoints_.erase(at);
  }
  // Doubling keeps the cost of this look at all endpoints small for each new one.
  addresses_most_ = std::max(addresses_at_least, 2 * endpoints_.size());
  return forgotten;
}

std::unique_ptr<OutgoingLimit> Orb::make_outgoing_limit() {
  struct Limit final : OutgoingLimit {
    explicit Limit(Orb& whose) : OutgoingLimit(whose.options().client_connections_most), orb(whose) {}
    bool make_room() noexcept override { return orb.make_room(); }
    bool reap() noexcept override try {
      const std::vector<Ref<Endpoint>> endpoints = orb.all_endpoints();
      std::vector<Endpoint::Idle> idle;
      bool reaped = false;
      for (const Ref<Endpoint>& endpoint : endpoints) reaped |= endpoint->find_idle(idle);
      for (const Endpoint::Idle& each : idle) {
        if (each.connection->rest(true)) each.connection->look();
      }
      idle.clear();
      for (const Ref<Endpoint>& endpoint : endpoints) reaped |= endpoint->find_idle(idle);
      return reaped;
    } catch (const std::bad_alloc&) {
      return false;
    }
    Orb& orb;
  };
  return std::make_unique<Limit>(*this);
}

/// Closes an idle connection, so that another one may be opened to any address.
bool Orb::make_room() noexcept try {
  const std::vector<Ref<Endpoint>> endpoints = all_endpoints();
  std::vector<Endpoint::Idle> idle;
  bool made = false;
  for (const Ref<Endpoint>& endpoint : endpoints) made |= endpoint->find_idle(idle);
  if (made) return true;
  std::ranges::sort(idle, std::ranges::greater(), &Endpoint::Idle::ms);
  for (const Endpoint::Idle& each : idle) made = made || each.close();
  idle.clear();
  // The endpoint of the closed connection drops it here.
  for (const Ref<Endpoint>& endpoint : endpoints) (void)endpoint->find_idle(idle);
  return made;
} catch (const std::bad_alloc&) {
  return false;
}

/// Called for the first connection that the options want closed when it is idle; not with a lock held.
void Orb::sweep_idle() {
  if (sweeps_.exchange(true)) return;
  if (Attendant* const attendant = this->attendant()) make_ref<IdleSweep>(*this, *attendant)->start();
}

void Orb::close_idle_connections() noexcept {
  Server* const server = listening_.load(std::memory_order_acquire);
  if (options_.server_idle_ms != 0 && server != nullptr) server->close_idle(options_.server_idle_ms);
  if (options_.client_idle_ms == 0) return;
  for (const Ref<Endpoint>& endpoint : all_endpoints()) endpoint->close_idle(options_.client_idle_ms);
  std::vector<Ref<Endpoint>> forgotten;  // declared before the lock: destroyed after it
  const LockGuard lock(mutex_);
  forgotten = forget_addresses();
}

bool Orb::rest_connections(Attendant* attendant, bool late) noexcept try {
  bool some_do_not = false;
  for (const Ref<Endpoint>& endpoint : all_endpoints()) some_do_not |= endpoint->rest(attendant, late);
  return some_do_not;
} catch (const std::bad_alloc&) {
  return true;
}

void Orb::sweep_in_time() noexcept { rest_sweep_->in_time(); }

// --- buffered oneways ---

Status Orb::flush_oneways(Deadline deadline) {
  Status first;
  for (const Ref<Endpoint>& endpoint : all_endpoints()) {
    const Status flushed = endpoint->flush(deadline);
    if (first) first = flushed;
  }
  return first;
}

// --- protocol::ConnectionClock ---

bool Orb::tell(protocol::Connection& connection, Deadline when, TellConnection what) noexcept {
  struct Reminder final : Attendant::Timed {
    Reminder(protocol::Connection& whom, TellConnection which) : connection(&whom), what(which) {}
    void expired() noexcept override { (connection.get()->*what)(); }
    const Ref<protocol::Connection> connection;
    const TellConnection what;
  };
  try {
    Attendant* const keeper = attendant();
    if (keeper == nullptr) return false;
    keeper->remind(make_ref<Reminder>(connection, what), when);
    return true;
  } catch (const std::bad_alloc&) {
    return false;
  }
}

bool Orb::remind(protocol::Connection& connection, Deadline when) noexcept {
  return tell(connection, when, &protocol::Connection::reminded);
}

bool Orb::watch(protocol::Connection& connection, Deadline when) noexcept {
  return tell(connection, when, &protocol::Connection::look_for_stall);
}

void Orb::used(protocol::Connection&) noexcept { rest_sweep_->used(); }

bool Orb::attend(protocol::Connection& connection) noexcept {
  Attendant* const attendant = attending_.load(std::memory_order_acquire);
  if (attendant == nullptr) return false;
  attendant->attend(connection);
  return true;
}

protocol::ConnectionClock::Room Orb::wait_for_room(protocol::Connection& connection,
                                                   Deadline deadline) noexcept {
  Attendant* const attendant = attending_.load(std::memory_order_acquire);
  return attendant == nullptr ? Room::not_here : attendant->wait_for_room(connection, deadline);
}

}  // namespace tenon::orb
