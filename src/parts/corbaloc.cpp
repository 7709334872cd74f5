// SPDX-License-Identifier: Apache-2.0
#include "orb/corbaloc.hpp"

#include "plugins/iiop/iiop.hpp"
#include "tenon/parts.hpp"

namespace tenon::parts {

void corbaloc(orb::Parts& parts) {
  parts.corbaloc = &orb::corbaloc_urls;
  iiop::enable_urls();
}

}  // namespace tenon::parts
