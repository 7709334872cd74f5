// SPDX-License-Identifier: Apache-2.0
#include "mapping/cpp11/corba/orb_parts.hpp"
#include "tenon/parts.hpp"

namespace tenon {

void all_but_protocols(orb::Parts& parts) {
  orb::all_parts(parts);
  parts::calls(parts);
  parts::asynchronous_calls(parts);
  parts::bidirectional(parts);
  parts::fragments(parts);
  parts::log(parts);
  parts::message_log(parts);
  parts::texts(parts);
  parts::exception_classes(parts);
  parts::poa(parts);
  gen::add_initial_reference(parts, gen::root_poa_reference);  // also where nothing links it
  parts::poa_current(parts);
  parts::policies(parts);
  parts::corbaloc(parts);
  parts::naming(parts);
  parts::interface_repository(parts);
  parts::dynamic(parts);
  parts::code_sets(parts);
  parts::known_memory(parts);
  parts::protocol_choice(parts);
#ifdef TENON_WITH_HANDSHAKES
  parts::handshakes(parts);
#endif
#ifdef TENON_WITH_ACCESS
  parts::access(parts);
#endif
#ifdef TENON_WITH_PROTOCOL_POLICIES
  parts::security_policies(parts);
#endif
}

}  // namespace tenon
