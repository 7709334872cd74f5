// SPDX-License-Identifier: Apache-2.0
#include "base/log.hpp"

#include "plugins/giop/giop.hpp"
#include "tenon/parts.hpp"

namespace tenon::parts {

void log(orb::Parts&) {
  use_log();
  giop::use_message_log();
}

}  // namespace tenon::parts
