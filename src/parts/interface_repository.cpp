// SPDX-License-Identifier: Apache-2.0
#include "mapping/cpp11/corba/orb_parts.hpp"
#include "tenon/parts.hpp"

namespace tenon::parts {

void interface_repository(orb::Parts& parts) {
  calls(parts);
  parts.interfaces = &gen::interface_repository;
}

}  // namespace tenon::parts
