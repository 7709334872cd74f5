// SPDX-License-Identifier: Apache-2.0
#include "mapping/cpp11/corba/protocol_policies.hpp"

#include "mapping/cpp11/corba/orb_parts.hpp"
#include "protocol/socket_properties.hpp"
#include "tenon/parts.hpp"

namespace tenon::parts {

void protocol_policies(orb::Parts& parts) {
  parts.protocol_policies = &gen::protocol_policies;
  parts.choose_profiles = gen::choose_profiles;
  gen::add_initial_reference(parts, gen::rt_orb_reference);
  protocol::socket_properties.store(&protocol::socket_property_functions, std::memory_order_release);
}

}  // namespace tenon::parts
