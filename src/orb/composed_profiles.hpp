// SPDX-License-Identifier: Apache-2.0
//
// Profiles that several plug-ins have a say in: an IIOP profile holds addresses of other transports in its components. Both functions are
// linked by programs with such a plug-in, or that choose their protocols; any thread.
#pragma once

#include <vector>

#include "orb/orb.hpp"
#include "orb/reference.hpp"

namespace tenon::orb {

/// Lets the plug-in of each endpoint add to a reference whose profiles are made. False: there is no memory.
bool compose_profiles(const Server& server, ior::Ior& made);

/// Puts before each profile what it says to other plug-ins of the ORB, as profiles of those with the same index; then, if
/// Options::protocols has an order, brings all into it. A profile for which there is no memory is left out.
void take_profiles_apart(const Orb& orb, std::vector<UsableProfile>& profiles);

}  // namespace tenon::orb
