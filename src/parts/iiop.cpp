// SPDX-License-Identifier: Apache-2.0
#include "plugins/iiop/iiop.hpp"

#include "plugins/giop/giop.hpp"
#include "tenon/parts.hpp"

namespace tenon::parts {

void iiop(orb::Parts& parts) { parts.protocols.push_back({iiop::make_plugin(), giop::make_messaging()}); }

}  // namespace tenon::parts
