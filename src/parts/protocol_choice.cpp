// SPDX-License-Identifier: Apache-2.0
#include "orb/protocol_choice.hpp"

#include "tenon/parts.hpp"

namespace tenon::parts {

void protocol_choice(orb::Parts& parts) { parts.choose_protocols = orb::choose_protocols; }

}  // namespace tenon::parts
