// SPDX-License-Identifier: Apache-2.0
//
// What an ORB does when no connection may be opened any more: it closes one that is idle, whatever its address, or lets go of those that
// their peers have ended. It holds no lock while it calls endpoints and connections.
#include <algorithm>
#include <utility>

#include "orb/client/outgoing_limit.hpp"
#include "orb/orb.hpp"

namespace tenon::orb {

namespace {

class RoomForConnections final : public OutgoingLimit {
 public:
  explicit RoomForConnections(Orb& whose)
      : OutgoingLimit(whose.options().client_connections_most), orb_(whose) {}

  bool make_room() noexcept override {
    EndpointList endpoints;
    if (!orb_.all_endpoints(endpoints)) return false;
    Endpoint::Idles idle;
    bool made = false;
    for (const Ref<Endpoint>& endpoint : endpoints) made |= endpoint->find_idle(idle);
    if (made) return true;
    // Mostly the first that is tried can be closed, so they are not sorted.
    while (!made && !idle.empty()) {
      const auto longest = std::ranges::max_element(idle, {}, &Endpoint::Idle::ms);
      made = longest->close();
      std::swap(*longest, idle.back());
      idle.pop_back();
    }
    idle.clear();
    // The endpoint of the closed connection drops it here.
    for (const Ref<Endpoint>& endpoint : endpoints) (void)endpoint->find_idle(idle);
    return made;
  }

  bool reap() noexcept override {
    EndpointList endpoints;
    if (!orb_.all_endpoints(endpoints)) return false;
    Endpoint::Idles idle;
    bool reaped = false;
    for (const Ref<Endpoint>& endpoint : endpoints) reaped |= endpoint->find_idle(idle);
    for (const Endpoint::Idle& each : idle) {
      if (each.connection->rest(true)) each.connection->look();
    }
    idle.clear();
    for (const Ref<Endpoint>& endpoint : endpoints) reaped |= endpoint->find_idle(idle);
    return reaped;
  }

 private:
  Orb& orb_;
};

}  // namespace

std::unique_ptr<OutgoingLimit> make_outgoing_limit(Orb& orb) {
  return std::make_unique<RoomForConnections>(orb);
}

}  // namespace tenon::orb
