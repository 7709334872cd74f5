// SPDX-License-Identifier: Apache-2.0
#ifdef TENON_WITH_SHMIOP
#include "plugins/giop/giop.hpp"
#include "shmiop_plugin.hpp"
#include "tenon/parts.hpp"

namespace tenon::parts {

void shmiop_client(orb::Parts& parts) {
  calls(parts);
  giop::enable_calls();
  shmiop::add_connecting(shmiop_plugin(parts));
}

}  // namespace tenon::parts
#endif
