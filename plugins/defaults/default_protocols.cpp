// SPDX-License-Identifier: Apache-2.0
#include "plugins/defaults/default_protocols.hpp"

#include "plugins/giop/giop.hpp"
#include "plugins/iiop/iiop.hpp"
#ifdef TENON_WITH_UIOP
#include "plugins/uiop/uiop.hpp"
#endif

namespace tenon {

orb::Protocols default_protocols() {
  const auto giop = giop::make_messaging();
  orb::Protocols protocols;
  protocols.push_back({iiop::make_plugin(), giop});
#ifdef TENON_WITH_UIOP
  protocols.push_back({uiop::make_plugin(), giop});
#endif
  return protocols;
}

}  // namespace tenon
