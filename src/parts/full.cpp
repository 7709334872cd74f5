// SPDX-License-Identifier: Apache-2.0
#include "iiop_plugin.hpp"
#include "tenon/parts.hpp"
#ifdef TENON_WITH_UIOP
#include "uiop_plugin.hpp"
#endif
#ifdef TENON_WITH_SHMIOP
#include "shmiop_plugin.hpp"
#endif
#ifdef TENON_WITH_INPROC
#include "inproc_plugin.hpp"
#endif

namespace tenon {
namespace {

void all_protocols(orb::Parts& parts) {
  // Not parts::iiop: the connections of parts::bidirectional can do all that others can.
  iiop::add_connecting(parts::iiop_plugin(parts));
  iiop::add_listening(parts::iiop_plugin(parts));
  parts::endpoint_options(parts);
  parts::host_names(parts);
  parts::pacing(parts);
#ifdef TENON_WITH_UIOP
  uiop::add_connecting(parts::uiop_plugin(parts));
  uiop::add_listening(parts::uiop_plugin(parts));
#endif
#ifdef TENON_WITH_SHMIOP
  shmiop::add_connecting(parts::shmiop_plugin(parts));
  shmiop::add_listening(parts::shmiop_plugin(parts));
#endif
#ifdef TENON_WITH_INPROC
  inproc::add_connecting(parts::inproc_plugin(parts));
  inproc::add_listening(parts::inproc_plugin(parts));
#endif
}

#ifdef TENON_WITH_DYNAMIC_PROTOCOLS
void make_protocols(orb::Protocols& into) {
  orb::Parts parts;
  all_protocols(parts);
  into.swap(parts.protocols);
}
#endif

}  // namespace

void full(orb::Parts& parts) {
  all_protocols(parts);
  all_but_protocols(parts);
#ifdef TENON_WITH_PROTOCOL_LIBRARIES
  parts::protocol_libraries(parts);
#endif
#ifdef TENON_WITH_DYNAMIC_PROTOCOLS
  parts.make_protocols = make_protocols;
#endif
}

}  // namespace tenon
