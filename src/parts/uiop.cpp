// SPDX-License-Identifier: Apache-2.0
#include "plugins/giop/giop.hpp"
#include "tenon/parts.hpp"
#ifdef TENON_WITH_UIOP
#include "plugins/uiop/uiop.hpp"

namespace tenon::parts {

void uiop(orb::Parts& parts) { parts.protocols.push_back({uiop::make_plugin(), giop::make_messaging()}); }

}  // namespace tenon::parts
#endif
