// SPDX-License-Identifier: Apache-2.0
//
// What an ORB does about its connections apart from calls: closes idle ones, makes room at the limit, sends buffered oneways, keeps time.
// It holds no lock of its own while it calls endpoints and connections.
#include "base/memory.hpp"
#include "orb/client/endpoints.hpp"
#include "orb/client/outgoing_limit.hpp"
#include "orb/current_protocols.hpp"
#include "orb/orb.hpp"
#include "orb/server/server.hpp"
#include "orb/threads/attendant.hpp"
#include "orb/threads/sweeps.hpp"

namespace tenon::orb {

bool Orb::all_endpoints(EndpointList& into) const {
  const LockGuard lock(mutex_);
  if (!endpoints_) return true;
  const EndpointList& all = endpoints_->all();
  if (!memory::has_room(memory::Kind::connections, all.size() * sizeof(Ref<Endpoint>))) return false;
  into = all;
  return true;
}

std::size_t Orb::addresses_known() const {
  const LockGuard lock(mutex_);
  return endpoints_ ? endpoints_->all().size() : 0;
}

Ref<Endpoint> Orb::endpoint(protocol::TransportPlugin& transport, std::string_view address,
                            std::string_view properties, bool bidirectional) {
  if (options_.client_idle_ms != 0 && sweeps_) sweeps_->close_idle();
  const LinkKeyView key{transport.name(), address, properties, bidirectional};
  EndpointList forgotten;  // declared before the lock: destroyed after it
  const LockGuard lock(mutex_);
  // An endpoint that is added to the table now would never be closed.
  if (state_.load() >= State::shut_down) return nullptr;
  if constexpr (protocols_change) {
    if (transport_for(transport.profile_tag()) != &transport) return nullptr;
  }
  if (!endpoints_) endpoints_ = std::make_unique<Endpoints>();
  if (!endpoints_) return nullptr;
  if (!outgoing_) outgoing_ = std::make_unique<OutgoingLimit>(options_.client_connections_most);
  Ref<Endpoint> found = endpoints_->find(key);
  if (found || !endpoints_->can_add()) return found;
  if (endpoints_->are_many()) endpoints_->forget(forgotten);
  const Protocol& protocol = protocol_of(transport);
  // Not make_ref(): what the endpoint keeps is made in place.
  found = Ref<Endpoint>::adopt(new Endpoint(
      LinkKey{key.transport, memory::String(address), memory::String(properties), bidirectional}, transport,
      *protocol.messaging, options_,
      bidirectional ? protocol.bidirectional : std::shared_ptr<Bidirectional>(), outgoing_.get()));
  if (found) endpoints_->add(key, found);
  return found;
}

void Orb::close_idle_connections() noexcept {
  Server* const server = listening_.load(std::memory_order_acquire);
  if (options_.server_idle_ms != 0 && server != nullptr) server->close_idle(options_.server_idle_ms);
  if (options_.client_idle_ms == 0) return;
  EndpointList endpoints;
  if (!all_endpoints(endpoints)) return;
  for (const Ref<Endpoint>& endpoint : endpoints) endpoint->close_idle(options_.client_idle_ms);
  endpoints.clear();
  EndpointList forgotten;  // declared before the lock: destroyed after it
  const LockGuard lock(mutex_);
  if (endpoints_) endpoints_->forget(forgotten);
}

bool Orb::rest_connections(Attendant* attendant, bool late) noexcept {
  EndpointList endpoints;
  bool some_do_not = !all_endpoints(endpoints);
  for (const Ref<Endpoint>& endpoint : endpoints) some_do_not |= endpoint->rest(attendant, late);
  return some_do_not;
}

void Orb::sweep_in_time() noexcept {
  if (sweeps_) sweeps_->in_time();
}

// --- buffered oneways ---

Status Orb::flush_oneways(Deadline deadline) {
  Status first;
  EndpointList endpoints;
  if (!all_endpoints(endpoints)) return memory::shortage();
  for (const Ref<Endpoint>& endpoint : endpoints) {
    const Status flushed = endpoint->flush(deadline);
    if (first) first = flushed;
  }
  return first;
}

// --- protocol::ConnectionClock ---

bool Orb::tell(protocol::Connection& connection, Deadline when, TellConnection what) noexcept {
  Attendant* const keeper = attendant();
  return keeper != nullptr && keeper->tell(connection, when, what);
}

bool Orb::remind(protocol::Connection& connection, Deadline when) noexcept {
  return tell(connection, when, &protocol::Connection::reminded);
}

bool Orb::watch(protocol::Connection& connection, Deadline when) noexcept {
  return tell(connection, when, &protocol::Connection::look_for_stall);
}

void Orb::used(protocol::Connection&) noexcept {
  if (sweeps_) sweeps_->used();
}

bool Orb::attend(protocol::Connection& connection) noexcept {
  Attendant* const attendant = attending_.load(std::memory_order_acquire);
  if (attendant == nullptr || !attendant->attends()) return false;
  attendant->attend(connection);
  return true;
}

protocol::ConnectionClock::Room Orb::wait_for_room(protocol::Connection& connection,
                                                   Deadline deadline) noexcept {
  Attendant* const attendant = attending_.load(std::memory_order_acquire);
  return attendant == nullptr ? Room::not_here : attendant->wait_for_room(connection, deadline);
}

}  // namespace tenon::orb
