// SPDX-License-Identifier: Apache-2.0
#include "plugins/giop/giop.hpp"
#include "tenon/parts.hpp"

namespace tenon::parts {

void fragments(orb::Parts& parts) {
  giop::enable_fragments();
  parts.fragments = true;
}

}  // namespace tenon::parts
