// SPDX-License-Identifier: Apache-2.0
#include "mapping/cpp11/corba/orb_parts.hpp"
#include "tenon/parts.hpp"

namespace tenon::parts {

void naming(orb::Parts& parts) {
  corbaloc(parts);
  parts.naming = &gen::naming_urls;
}

}  // namespace tenon::parts
