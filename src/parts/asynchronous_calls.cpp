// SPDX-License-Identifier: Apache-2.0
#include "orb/threads/attendant.hpp"
#include "tenon/parts.hpp"

namespace tenon::parts {

void asynchronous_calls(orb::Parts& parts) { parts.attendant = orb::make_threaded_attendant; }

}  // namespace tenon::parts
