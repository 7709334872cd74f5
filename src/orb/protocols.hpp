// SPDX-License-Identifier: Apache-2.0
//
// The protocols of an ORB whose program names none. Defined in plugins/defaults; a program that links its own definition gets
// its own set, and links no other plug-in.
#pragma once

#include <vector>

#include "orb/orb.hpp"

namespace tenon::orb {

/// In order of preference; the first is the one that listens when no endpoint was asked for.
std::vector<Protocol> default_protocols();

}  // namespace tenon::orb
