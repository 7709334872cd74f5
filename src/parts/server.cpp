// SPDX-License-Identifier: Apache-2.0
#include "mapping/cpp11/corba/orb_parts.hpp"
#include "tenon/parts.hpp"

namespace tenon {

void server(orb::Parts& parts) {
  parts::iiop_server(parts);
  parts::poa(parts);
  if (gen::add_poa_current != nullptr) gen::add_poa_current(parts);
  parts::thread_per_connection(parts);
}

}  // namespace tenon
