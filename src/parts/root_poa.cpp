// SPDX-License-Identifier: Apache-2.0
#include "mapping/cpp11/corba/orb_parts.hpp"
#include "poa/root_adapter.hpp"
#include "tenon/parts.hpp"

namespace tenon::parts {

void root_poa(orb::Parts& parts) {
  if (parts.make_adapter == nullptr) parts.make_adapter = &tenon::poa::make_root_adapter;
  if (gen::add_root_poa != nullptr) gen::add_root_poa(parts);
}

}  // namespace tenon::parts
