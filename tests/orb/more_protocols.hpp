// SPDX-License-Identifier: Apache-2.0
//
// Protocols that the programs of this suite do not have by themselves, as they need other libraries.
#pragma once

#include "tests/orb/world.hpp"

namespace tenon::suite {

/// Adds its own to what protocols_to_use() gives from now on. Before the first ORB.
void use_more_protocols(void (*add)(orb::Protocols& protocols));

}  // namespace tenon::suite
