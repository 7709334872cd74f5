// SPDX-License-Identifier: Apache-2.0
#include "tenon/parts.hpp"

namespace tenon {

void server(orb::Parts& parts) {
  parts::iiop_server(parts);
  parts::poa(parts);
  parts::poa_current(parts);
  parts::thread_per_connection(parts);
}

}  // namespace tenon
