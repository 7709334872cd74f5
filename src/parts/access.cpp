// SPDX-License-Identifier: Apache-2.0
#include "poa/access/guarded_adapter.hpp"
#include "tenon/parts.hpp"

namespace tenon::parts {

void access(orb::Parts& parts) {
  poa(parts);
  parts.make_adapter = &tenon::poa::make_guarded_adapter;
  parts.access = true;
}

}  // namespace tenon::parts
