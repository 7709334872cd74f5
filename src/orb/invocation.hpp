// SPDX-License-Identifier: Apache-2.0
//
// One call to an object, from finished constants of an operation to the reply's body: chooses where to go, follows forwards,
// tries again where the standard allows it. Types are the caller's business.
#pragma once

#include <span>
#include <string_view>

#include "base/function_ref.hpp"
#include "orb/numbered_name.hpp"
#include "orb/reference.hpp"

namespace tenon::orb {

using protocol::CallSpec;

/// Writes the arguments; called again when a retry or a forward leads to a peer with another wire format. The values that a
/// message shares are forgotten at the end of the call.
using PutArguments = FunctionRef<void(cdr::Writer&)>;
/// Reads the body of a reply, whose status is no_exception or user_exception. May throw.
using GetReply = FunctionRef<void(protocol::ReplyStatus, cdr::Reader&)>;

/// Runs the call. Oneways: ok once the request was handed to the transport. Errors are system exceptions, the peer's own included.
/// Collocated objects are called without a socket.
Status invoke(Reference& reference, const CallSpec& spec, PutArguments put, GetReply get);

/// As invoke(), with the number in place of the name where the profile that an attempt goes over allows it. Never where calls are
/// observed, in this process, or where the caller does not allow forwards, which objects need whose numbers are other ones by now.
/// spec.operation is the name; what stands there afterwards is no one's business.
Status invoke_by_number(Reference& reference, CallSpec& spec, const NumberedName& name, PutArguments put,
                        GetReply get);

/// Asks whether the object is there, with a LocateRequest (CORBA 3.4 part 2 §9.4.5), where calls go now: forwards are followed and
/// remembered as calls do it. object_here or unknown_object; the errors are those of a call.
Result<protocol::LocateStatus> locate(Reference& reference, Deadline deadline);

}  // namespace tenon::orb
