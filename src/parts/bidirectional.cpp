// SPDX-License-Identifier: Apache-2.0
#include "orb/bidirectional.hpp"
#include "tenon/parts.hpp"

namespace tenon::parts {

void bidirectional(orb::Parts& parts) { parts.bidirectional = orb::make_bidirectional; }

}  // namespace tenon::parts
