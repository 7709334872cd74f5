// SPDX-License-Identifier: Apache-2.0
#include "orb/client/tried.hpp"
#include "tenon/parts.hpp"

namespace tenon::parts {

void tried(orb::Parts&) { orb::note_calls(); }

}  // namespace tenon::parts
