// SPDX-License-Identifier: Apache-2.0
#ifdef TENON_WITH_UIOP
#include "tenon/parts.hpp"

namespace tenon::parts {

void uiop(orb::Parts& parts) {
  uiop_client(parts);
  uiop_server(parts);
}

}  // namespace tenon::parts
#endif
