// SPDX-License-Identifier: Apache-2.0
#include "tenon/parts.hpp"

namespace tenon {

void all_but_protocols(orb::Parts& parts) {
  parts::texts(parts);
  parts::interface_repository(parts);
}

}  // namespace tenon
