// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include "iiop_plugin.hpp"
#include "plugins/iiop/plugin.hpp"
#include "tenon/parts.hpp"

namespace tenon::parts {

void pacing(orb::Parts& parts) {
  iiop::Plugin& plain = iiop_plugin(parts);
  for (orb::Protocol& each : parts.protocols) {
    if (each.transport.get() != &plain) continue;
    each.transport = iiop::make_paced(std::move(plain));
    break;
  }
  protocol_choice(parts);
}

}  // namespace tenon::parts
