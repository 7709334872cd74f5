// SPDX-License-Identifier: Apache-2.0
#include "mapping/cpp11/calls/renumbered.hpp"
#include "mapping/cpp11/corba/new_reference.hpp"
#include "mapping/cpp11/corba/orb_parts.hpp"
#include "plugins/giop/giop.hpp"
#include "poa/whole_adapter.hpp"
#include "tenon/parts.hpp"

namespace tenon::parts {

void poa(orb::Parts& parts) {
  giop::enable_kept_requests();
  gen::renumbered.store(&gen::forward_renumbered, std::memory_order_release);
  gen::whole_reference.store(&gen::new_whole_reference, std::memory_order_release);
  parts.make_adapter = &tenon::poa::make_whole_adapter;
  if (gen::add_root_poa != nullptr) gen::add_root_poa(parts);
}

}  // namespace tenon::parts
