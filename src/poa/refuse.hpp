// SPDX-License-Identifier: Apache-2.0
//
// A system exception or a forward as a reply (GIOP 1.2 §9.4.3.2).
#pragma once

#include "orb/reference.hpp"
#include "orb/server/refuse.hpp"

namespace tenon::poa {

using orb::refuse;

/// Finishes the call with LOCATION_FORWARD to that object.
void forward(protocol::IncomingCall& call, const orb::Reference& to);

}  // namespace tenon::poa
