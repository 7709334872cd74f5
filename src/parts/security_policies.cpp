// SPDX-License-Identifier: Apache-2.0
#include "mapping/cpp11/corba/security_policies.hpp"

#include "tenon/parts.hpp"

namespace tenon::parts {

void security_policies(orb::Parts& parts) {
  protocol_policies(parts);
  parts.protocol_policies = &gen::security_and_protocol_policies;
  gen::chooses_secured.store(gen::choose_secured, std::memory_order_release);
}

}  // namespace tenon::parts
