// SPDX-License-Identifier: Apache-2.0
#include "tenon/parts.hpp"

namespace tenon::parts {

void iiop(orb::Parts& parts) {
  iiop_client(parts);
  iiop_server(parts);
}

}  // namespace tenon::parts
