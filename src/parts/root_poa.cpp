// SPDX-License-Identifier: Apache-2.0
#include "mapping/cpp11/corba/orb_parts.hpp"
#include "tenon/parts.hpp"

namespace tenon::parts {

void root_poa(orb::Parts& parts) { gen::add_initial_reference(parts, gen::root_poa_reference); }

}  // namespace tenon::parts
