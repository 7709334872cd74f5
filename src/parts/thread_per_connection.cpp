// SPDX-License-Identifier: Apache-2.0
#include "orb/server/server.hpp"
#include "tenon/parts.hpp"

namespace tenon::parts {

void thread_per_connection(orb::Parts& parts) { parts.thread_per_connection = orb::make_thread_server; }

}  // namespace tenon::parts
