// SPDX-License-Identifier: Apache-2.0
#include "orb/client/outgoing_limit.hpp"
#include "tenon/parts.hpp"

namespace tenon::parts {

void connection_limit(orb::Parts& parts) { parts.outgoing_limit = orb::make_outgoing_limit; }

}  // namespace tenon::parts
