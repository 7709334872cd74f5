// SPDX-License-Identifier: Apache-2.0
//
// Tells the mapping of the policy factories of a chain. Private to src/dynamic; no state of its own.
#pragma once

#include "dynamic/interceptors/interception_chain.hpp"

namespace tenon::dynamic {

/// From then on create_POA() and overrides of that ORB take the policies of its factories.
void set_policy_makers(orb::Orb& orb, std::shared_ptr<const Chain> chain);

}  // namespace tenon::dynamic
