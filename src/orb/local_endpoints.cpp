// SPDX-License-Identifier: Apache-2.0
#include "orb/local_endpoints.hpp"

#include "base/joined.hpp"
#include "base/log.hpp"
#include "orb/bidirectional.hpp"
#include "orb/current_protocols.hpp"
#include "orb/server/server.hpp"
#include "protocol/transport.hpp"

namespace tenon::orb {

void listen_locally(const Orb& orb, Server& server) {
  if (!orb.options().protocols.empty() || orb.options().limits.any()) return;
  const auto& all = current_protocols(orb.parts());
  for (const Protocol& each : all) {
    if (!each.local || &each == &all.front()) continue;
    const std::string endpoint = joined({each.transport->name(), "://"});
    std::string why;
    if (!server.open(*each.transport, *each.messaging, endpoint, why, each.bidirectional))
      log(LogLevel::info, "orb", joined({"does not listen on ", endpoint, ": ", why}));
  }
}

}  // namespace tenon::orb
