// SPDX-License-Identifier: Apache-2.0
//
// Profiles that several plug-ins have a say in: an IIOP profile holds addresses of other transports in its components. They are
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

/// From now on ORBs of these parts also ask their plug-ins (TransportPlugin::addresses_in()) about IIOP profiles that lead nowhere over iiop:
/// because the ORB does not have iiop, or because the profile's ports are 0, as those of servers that take TLS alone. What the plug-ins
/// see then has all hosts of the profile, with port 0. It goes before Parts::choose_profiles, which must be set already.
void read_all_hosts(Parts& parts) noexcept;

}  // namespace tenon::orb
