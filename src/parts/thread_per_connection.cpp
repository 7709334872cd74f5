// SPDX-License-Identifier: Apache-2.0
#include "orb/server/server.hpp"
#include "plugins/giop/giop.hpp"
#include "tenon/parts.hpp"

namespace tenon::parts {

void thread_per_connection(orb::Parts& parts) {
  giop::enable_kept_requests();
  parts.thread_per_connection = orb::make_thread_server;
}

}  // namespace tenon::parts
