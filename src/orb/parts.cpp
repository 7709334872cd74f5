// SPDX-License-Identifier: Apache-2.0
#include "orb/parts.hpp"

#include "base/joined.hpp"
#include "orb/options.hpp"

namespace tenon::orb {

namespace {

/// What the settings want and none of the parts gives: what that is, and its part; null: nothing.
struct Lack {
  const char* what = nullptr;
  const char* part = nullptr;
};

Lack find_lack(const Options& options, const Parts& parts) noexcept {
  switch (options.serving) {
    case Serving::unsaid: break;
    case Serving::thread_per_connection:
      if (parts.thread_per_connection == nullptr)
        return {"serving by a thread for each connection", "thread_per_connection"};
      break;
    case Serving::pool:
      if (parts.pool == nullptr) return {"serving by a pool of threads", "pool"};
      break;
    case Serving::single_thread:
      if (parts.single_thread == nullptr) return {"serving with a single thread", "single_thread"};
      break;
  }
  if (parts.bidirectional == nullptr && (options.offer_bidirectional || options.accept_bidirectional))
    return {"bidirectional connections", "bidirectional"};
  if (parts.sweeps == nullptr && (options.client_idle_ms != 0 || options.server_idle_ms != 0))
    return {"closing idle connections", "idle_connections"};
  if (!parts.fragments && options.messaging.limits.fragment_above != 0)
    return {"sending messages in fragments", "fragments"};
  if (parts.choose_protocols == nullptr &&
      !(options.protocols.empty() && options.protocol_libraries.empty() && options.protocol_options.empty()))
    return {"choosing protocols", "protocol_choice"};
  if (parts.load_protocols == nullptr && !options.protocol_libraries.empty())
    return {"protocols of shared objects", "protocol_libraries"};
  return {};
}

}  // namespace

std::string missing(const Options& options, const Parts& parts) {
  const Lack lack = find_lack(options, parts);
  if (lack.what == nullptr) return {};
  return worded("%: this program's start-up does not name tenon::parts::%", {lack.what, lack.part});
}

}  // namespace tenon::orb
