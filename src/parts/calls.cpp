// SPDX-License-Identifier: Apache-2.0
#include "mapping/cpp11/calls/call.hpp"
#include "tenon/parts.hpp"

namespace tenon::parts {

void calls(orb::Parts&) { gen::link_calls(); }

}  // namespace tenon::parts
