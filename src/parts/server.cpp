// SPDX-License-Identifier: Apache-2.0
#include "tenon/parts.hpp"

namespace tenon {

void server(orb::Parts& parts) { parts::iiop(parts); }

void micro(orb::Parts& parts) { parts::iiop(parts); }

}  // namespace tenon
