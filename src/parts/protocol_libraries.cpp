// SPDX-License-Identifier: Apache-2.0
#include "orb/protocol_library.hpp"

#include "tenon/parts.hpp"

namespace tenon::parts {

void protocol_libraries(orb::Parts& parts) {
  protocol_choice(parts);
  parts.load_protocols = orb::load_protocols;
}

}  // namespace tenon::parts
