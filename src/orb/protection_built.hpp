// SPDX-License-Identifier: Apache-2.0
//
// Whether this library is built with policies of protection (the option TENON_PROTOCOL_POLICIES): QOPPolicy and EstablishTrustPolicy.
// Without it, what calls and POAs would ask is not compiled. For the sources of src/orb and src/poa.
#pragma once

namespace tenon::orb {

#ifdef TENON_WITH_PROTOCOL_POLICIES
constexpr bool with_protection_policies = true;
#else
constexpr bool with_protection_policies = false;
#endif

}  // namespace tenon::orb
