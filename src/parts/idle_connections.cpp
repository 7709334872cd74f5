// SPDX-License-Identifier: Apache-2.0
#include "orb/threads/attendant.hpp"
#include "orb/threads/sweeps.hpp"
#include "plugins/giop/giop.hpp"
#include "tenon/parts.hpp"

namespace tenon::parts {

void idle_connections(orb::Parts& parts) {
  giop::enable_attended_calls();
  parts.sweeps = orb::make_sweeps;
  parts.attendant = orb::make_threaded_attendant;
}

}  // namespace tenon::parts
