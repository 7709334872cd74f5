// SPDX-License-Identifier: Apache-2.0
#include "orb/server/server.hpp"
#include "orb/threads/attendant.hpp"
#include "orb/threads/reactor.hpp"
#include "tenon/parts.hpp"

namespace tenon::parts {

void single_thread(orb::Parts& parts) {
  parts.single_thread = orb::make_single_thread_server;
  parts.reactor = orb::make_reactor;
  if (parts.single_thread_attendant == nullptr) parts.single_thread_attendant = orb::make_timekeeper;
}

}  // namespace tenon::parts
