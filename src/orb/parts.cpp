// SPDX-License-Identifier: Apache-2.0
#include "orb/parts.hpp"

#include "orb/options.hpp"

namespace tenon::orb {

const char* missing(const Options& options, const Parts& parts) noexcept {
#define TENON_LACKS(what, part) what ": this program's start-up does not name tenon::parts::" part
  switch (options.serving) {
    case Serving::unsaid: break;
    case Serving::thread_per_connection:
      if (parts.thread_per_connection == nullptr)
        return TENON_LACKS("serving by a thread for each connection", "thread_per_connection");
      break;
    case Serving::pool:
      if (parts.pool == nullptr) return TENON_LACKS("serving by a pool of threads", "pool");
      break;
    case Serving::single_thread:
      if (parts.single_thread == nullptr) return TENON_LACKS("serving with a single thread", "single_thread");
      break;
  }
  if (parts.bidirectional == nullptr && (options.offer_bidirectional || options.accept_bidirectional))
    return TENON_LACKS("bidirectional connections", "bidirectional");
  if (parts.sweeps == nullptr && (options.client_idle_ms != 0 || options.server_idle_ms != 0))
    return TENON_LACKS("closing idle connections", "idle_connections");
  if (!parts.fragments && options.messaging.limits.fragment_above != 0)
    return TENON_LACKS("sending messages in fragments", "fragments");
  if (parts.choose_protocols == nullptr &&
      !(options.protocols.empty() && options.protocol_libraries.empty() && options.protocol_options.empty()))
    return TENON_LACKS("choosing protocols", "protocol_choice");
  if (parts.load_protocols == nullptr && !options.protocol_libraries.empty())
    return TENON_LACKS("protocols of shared objects", "protocol_libraries");
#undef TENON_LACKS
  return nullptr;
}

}  // namespace tenon::orb
