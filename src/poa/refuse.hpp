// SPDX-License-Identifier: Apache-2.0
//
// The system exception as a reply (GIOP 1.2 §9.4.3.2).
#pragma once

#include "base/error.hpp"
#include "protocol/messaging.hpp"

namespace tenon::poa {

/// Finishes the call with that exception; drops what was written of another reply. Nothing when it has been replied to.
void refuse(protocol::IncomingCall& call, const Error& error);

}  // namespace tenon::poa
