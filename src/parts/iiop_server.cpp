// SPDX-License-Identifier: Apache-2.0
#include "iiop_plugin.hpp"
#include "plugins/giop/giop.hpp"
#include "tenon/parts.hpp"

namespace tenon::parts {

void iiop_server(orb::Parts& parts) {
  giop::enable_requests();
  iiop::add_listening(iiop_plugin(parts));
}

}  // namespace tenon::parts
