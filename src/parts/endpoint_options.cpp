// SPDX-License-Identifier: Apache-2.0
#include "iiop_plugin.hpp"
#include "tenon/parts.hpp"

namespace tenon::parts {

void endpoint_options(orb::Parts& parts) { iiop::add_endpoint_options(iiop_plugin(parts)); }

}  // namespace tenon::parts
