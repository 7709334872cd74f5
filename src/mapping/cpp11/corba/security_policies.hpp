// SPDX-License-Identifier: Apache-2.0
//
// What an ORB that has the part of security policies does with them (tenon/corba/security_policies.hpp). They travel as protocol policies
// do, so this takes the place of those functions, and uses them. Any thread.
#pragma once

#include "mapping/cpp11/corba/protocol_policies.hpp"

namespace tenon::gen {

extern const ProtocolPolicies security_and_protocol_policies;

/// For chooses_secured: leaves out profiles that are not protected as calls want it, or that want of clients what this ORB has not.
orb::Unreachable choose_secured(const orb::Reference& reference, std::vector<orb::UsableProfile>& profiles);

}  // namespace tenon::gen
