// SPDX-License-Identifier: Apache-2.0
#ifdef TENON_WITH_INPROC
#include "tenon/parts.hpp"

namespace tenon::parts {

void inproc(orb::Parts& parts) {
  inproc_client(parts);
  inproc_server(parts);
}

}  // namespace tenon::parts
#endif
