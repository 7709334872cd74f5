// SPDX-License-Identifier: Apache-2.0
#include "orb/memory_limits.hpp"

#include "orb/parts.hpp"
#include "tenon/parts.hpp"

namespace tenon::parts {

void known_memory(orb::Parts& parts) { parts.take_memory = orb::take_memory; }

}  // namespace tenon::parts
