// SPDX-License-Identifier: Apache-2.0
#include "orb/server/server.hpp"
#include "orb/threads/attendant.hpp"
#include "plugins/giop/giop.hpp"
#include "tenon/parts.hpp"

namespace tenon::parts {

void pool(orb::Parts& parts) {
  giop::enable_kept_requests();
  parts.pool = orb::make_pool_server;
  // No thread blocks in a receive, so another one has to notice that a peer has stopped.
  parts.attendant = orb::make_threaded_attendant;
}

}  // namespace tenon::parts
