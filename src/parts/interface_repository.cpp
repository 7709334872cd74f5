// SPDX-License-Identifier: Apache-2.0
#include "mapping/cpp11/corba/interface_lookup.hpp"
#include "tenon/parts.hpp"

namespace tenon::parts {

void interface_repository(orb::Parts&) {
  gen::interface_lookup.store(&gen::ask_interface_repository, std::memory_order_release);
}

}  // namespace tenon::parts
