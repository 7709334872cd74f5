// SPDX-License-Identifier: Apache-2.0
//
// Calls to objects of this process: the same marshalled request and the same upcall, without a socket and on the caller's thread.
#pragma once

#include "orb/invocation.hpp"

namespace tenon::orb {

class Orb;

/// `get` sees every status but system_exception, which is the result. Oneways run before this returns; their outcome is dropped.
/// `contexts`: sees the service contexts of the reply first.
Status call_collocated(Orb& orb, const protocol::Target& target, const CallSpec& spec, PutArguments put,
                       GetReply get, FunctionRef<void(const protocol::ServiceContext&)> contexts);

}  // namespace tenon::orb
