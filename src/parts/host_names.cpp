// SPDX-License-Identifier: Apache-2.0
#include "iiop_plugin.hpp"
#include "tenon/parts.hpp"

namespace tenon::parts {

void host_names(orb::Parts& parts) { iiop::add_host_names(iiop_plugin(parts)); }

}  // namespace tenon::parts
