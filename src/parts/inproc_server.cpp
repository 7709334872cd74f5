// SPDX-License-Identifier: Apache-2.0
#ifdef TENON_WITH_INPROC
#include "inproc_plugin.hpp"
#include "plugins/giop/giop.hpp"
#include "tenon/parts.hpp"

namespace tenon::parts {

void inproc_server(orb::Parts& parts) {
  giop::enable_requests();
  inproc::add_listening(inproc_plugin(parts));
}

}  // namespace tenon::parts
#endif
