// SPDX-License-Identifier: Apache-2.0
#include "orb/server/handshakes.hpp"
#include "tenon/parts.hpp"

namespace tenon::parts {

void handshakes(orb::Parts&) { orb::enable_handshakes(); }

}  // namespace tenon::parts
