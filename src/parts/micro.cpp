// SPDX-License-Identifier: Apache-2.0
#include "tenon/parts.hpp"

namespace tenon {

void micro(orb::Parts& parts) {
  parts::iiop_server(parts);
  parts::root_poa(parts);
  parts::single_thread(parts);
}

}  // namespace tenon
