// SPDX-License-Identifier: Apache-2.0
#include "plugins/giop/giop.hpp"
#include "tenon/parts.hpp"

namespace tenon::parts {

void message_log(orb::Parts&) { giop::enable_message_log(); }

}  // namespace tenon::parts
