// SPDX-License-Identifier: Apache-2.0
#include "mapping/cpp11/exceptions/define.hpp"
#include "tenon/parts.hpp"

namespace tenon::parts {

void exception_classes(orb::Parts&) { gen::link_all_classes(); }

}  // namespace tenon::parts
