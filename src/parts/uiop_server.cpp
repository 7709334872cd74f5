// SPDX-License-Identifier: Apache-2.0
#ifdef TENON_WITH_UIOP
#include "plugins/giop/giop.hpp"
#include "tenon/parts.hpp"
#include "uiop_plugin.hpp"

namespace tenon::parts {

void uiop_server(orb::Parts& parts) {
  giop::enable_requests();
  uiop::add_listening(uiop_plugin(parts));
}

}  // namespace tenon::parts
#endif
