// SPDX-License-Identifier: Apache-2.0
#include "mapping/cpp11/corba/orb_parts.hpp"
#include "tenon/parts.hpp"

namespace tenon::parts {

void poa_current(orb::Parts& parts) { gen::add_initial_reference(parts, gen::poa_current_reference); }

}  // namespace tenon::parts
