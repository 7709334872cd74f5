// SPDX-License-Identifier: Apache-2.0
//
// A system exception or a forward as a reply (GIOP 1.2 §9.4.3.2).
#pragma once

#include "base/error.hpp"
#include "orb/reference.hpp"
#include "protocol/messaging.hpp"

namespace tenon::poa {

/// Finishes the call with that exception; drops what was written of another reply. Nothing when it has been replied to.
void refuse(protocol::IncomingCall& call, const Error& error);

/// Finishes the call with LOCATION_FORWARD to that object.
void forward(protocol::IncomingCall& call, const orb::Reference& to);

}  // namespace tenon::poa
