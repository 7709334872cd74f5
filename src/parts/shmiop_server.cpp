// SPDX-License-Identifier: Apache-2.0
#ifdef TENON_WITH_SHMIOP
#include "plugins/giop/giop.hpp"
#include "shmiop_plugin.hpp"
#include "tenon/parts.hpp"

namespace tenon::parts {

void shmiop_server(orb::Parts& parts) {
  giop::enable_requests();
  shmiop::add_listening(shmiop_plugin(parts));
}

}  // namespace tenon::parts
#endif
