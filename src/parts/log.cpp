// SPDX-License-Identifier: Apache-2.0
#include "base/log.hpp"

#include "tenon/parts.hpp"

namespace tenon::parts {

void log(orb::Parts& parts) {
  use_log();
  texts(parts);  // its lines have them
}

}  // namespace tenon::parts
