// SPDX-License-Identifier: Apache-2.0
#include "orb/bidirectional.hpp"
#include "orb/client/collocated.hpp"
#include "orb/client/outgoing_limit.hpp"
#include "orb/client/tried.hpp"
#include "orb/parts.hpp"
#include "orb/server/server.hpp"
#include "orb/threads/attendant.hpp"
#include "orb/threads/reactor.hpp"
#include "orb/threads/sweeps.hpp"

namespace tenon::orb {

void all_parts(Parts& parts) {
  parts.thread_per_connection = make_thread_server;
  parts.pool = make_pool_server;
  parts.single_thread = make_single_thread_server;
  parts.reactor = make_reactor;
  parts.attendant = make_threaded_attendant;
  parts.single_thread_attendant = make_reactive_attendant;
  parts.sweeps = make_sweeps;
  parts.collocation = make_collocation;
  parts.outgoing_limit = make_outgoing_limit;
  parts.bidirectional = make_bidirectional;
  parts.fragments = true;  // which the messaging then has to do
  note_calls();
}

}  // namespace tenon::orb
