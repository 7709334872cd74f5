// SPDX-License-Identifier: Apache-2.0
#include "tenon/parts.hpp"

namespace tenon {

void full(orb::Parts& parts) {
  parts::iiop(parts);
  parts::host_names(parts);
#ifdef TENON_WITH_UIOP
  parts::uiop(parts);
#endif
  all_but_protocols(parts);
}

}  // namespace tenon
