// SPDX-License-Identifier: Apache-2.0
#include "iiop_plugin.hpp"
#include "tenon/parts.hpp"

namespace tenon::parts {

void iiop_server(orb::Parts& parts) { iiop::add_listening(iiop_plugin(parts)); }

}  // namespace tenon::parts
