// SPDX-License-Identifier: Apache-2.0
#ifdef TENON_WITH_UIOP
#include "plugins/giop/giop.hpp"
#include "tenon/parts.hpp"
#include "uiop_plugin.hpp"

namespace tenon::parts {

void uiop_client(orb::Parts& parts) {
  calls(parts);
  giop::enable_calls();
  uiop::add_connecting(uiop_plugin(parts));
}

}  // namespace tenon::parts
#endif
