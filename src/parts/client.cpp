// SPDX-License-Identifier: Apache-2.0
#include "tenon/parts.hpp"

namespace tenon {

void client(orb::Parts& parts) { parts::iiop_client(parts); }

}  // namespace tenon
