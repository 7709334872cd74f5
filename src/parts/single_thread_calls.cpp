// SPDX-License-Identifier: Apache-2.0
#include "orb/threads/attendant.hpp"
#include "plugins/giop/giop.hpp"
#include "tenon/parts.hpp"

namespace tenon::parts {

void single_thread_calls(orb::Parts& parts) {
  single_thread(parts);
  giop::enable_attended_calls();
  giop::enable_kept_requests();
  parts.single_thread_attendant = orb::make_reactive_attendant;
}

}  // namespace tenon::parts
