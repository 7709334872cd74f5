// SPDX-License-Identifier: Apache-2.0
#include "mapping/cpp11/corba/orb_parts.hpp"
#include "tenon/parts.hpp"

namespace tenon::parts {

void policies(orb::Parts& parts) {
  gen::add_initial_reference(parts, gen::policy_manager_reference);
  gen::add_initial_reference(parts, gen::policy_current_reference);
}

}  // namespace tenon::parts
