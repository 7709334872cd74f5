// SPDX-License-Identifier: Apache-2.0
#ifdef TENON_WITH_SHMIOP
#include "tenon/parts.hpp"

namespace tenon::parts {

void shmiop(orb::Parts& parts) {
  shmiop_client(parts);
  shmiop_server(parts);
}

}  // namespace tenon::parts
#endif
