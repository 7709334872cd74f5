// SPDX-License-Identifier: Apache-2.0
#include "orb/threads/attendant.hpp"
#include "plugins/giop/giop.hpp"
#include "tenon/parts.hpp"

namespace tenon::parts {

void asynchronous_calls(orb::Parts& parts) {
  giop::enable_attended_calls();
  parts.attendant = orb::make_threaded_attendant;
}

}  // namespace tenon::parts
