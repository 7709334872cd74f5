// SPDX-License-Identifier: Apache-2.0
//
// tenon::peer(): who has made the call that this thread serves, as far as that is known for certain. In a servant, a servant manager or an
// interceptor of the server, for the time of the upcall:
//
//   if (const tenon::Identity who = tenon::peer(); who["uid"] != "0") throw CORBA::NO_PERMISSION();
//
// Nothing is known of a caller over TCP in the clear, so the identity is false there, and its attributes are empty. docs/protocols.md says
// which protocols know what.
#pragma once

#include <tenon/language.hpp>

#include "protocol/identity.hpp"

namespace tenon {

using protocol::Identity;

/// Of the innermost upcall of this thread: a servant that calls an object of its own process is that object's caller. BAD_INV_ORDER where
/// there is none, also on a thread to which the servant has handed the call.
Identity peer();

}  // namespace tenon
