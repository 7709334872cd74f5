// SPDX-License-Identifier: Apache-2.0
#include "iiop_plugin.hpp"
#include "plugins/giop/giop.hpp"
#include "tenon/parts.hpp"

namespace tenon::parts {

void iiop_client(orb::Parts& parts) {
  calls(parts);
  giop::enable_calls();
  iiop::add_connecting(iiop_plugin(parts));
}

}  // namespace tenon::parts
