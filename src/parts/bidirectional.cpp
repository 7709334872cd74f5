// SPDX-License-Identifier: Apache-2.0
#include "orb/bidirectional.hpp"
#include "plugins/giop/giop.hpp"
#include "tenon/parts.hpp"

namespace tenon::parts {

void bidirectional(orb::Parts& parts) {
  giop::enable_bidirectional();
  parts.bidirectional = orb::make_bidirectional;
}

}  // namespace tenon::parts
