// SPDX-License-Identifier: Apache-2.0
#include "orb/client/collocated.hpp"
#include "tenon/parts.hpp"

namespace tenon::parts {

void collocated_calls(orb::Parts& parts) { parts.collocation = orb::make_collocation; }

}  // namespace tenon::parts
