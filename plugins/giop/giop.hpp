// SPDX-License-Identifier: Apache-2.0
//
// GIOP, the messaging of iiop and uiop. A program links what its connections are for: each of the functions enable_...() links something
// and switches it on in this process, for good. Any thread, any number of times; what it adds is there for connections that are made
// later.
#pragma once

#include <memory>

#include "protocol/messaging.hpp"

namespace tenon::giop {

/// Makes connections that do what is enabled. connect() returns null for a role for which nothing is.
std::shared_ptr<protocol::Messaging> make_bare_messaging();

/// Connections that this process opens: calls whose thread waits for the reply, and oneways, which are sent at once.
void enable_calls() noexcept;
/// Calls with an attendant (CallTable), too: asynchronous calls, oneways that are buffered, LocateRequest, connections that rest.
void enable_attended_calls() noexcept;
/// Connections that this process accepts: requests that come in.
void enable_requests() noexcept;
/// Requests that outlast the message they came in (IncomingCall::detach() and take()): of a server that reads on while one runs, or keeps
/// some waiting. Otherwise take() returns null, and a connection whose request is detached ends.
void enable_kept_requests() noexcept;
/// Bidirectional connections, opened and accepted ones; and the others, where nothing else is enabled.
void enable_bidirectional() noexcept;
/// What a peer has sent that is not allowed, in words: in the log and in what() of calls that it ends.
void enable_complaints() noexcept;
/// Messages above ConnectionLimits::fragment_above go out in fragments; otherwise that limit has no effect. Those of peers are joined anyway.
void enable_fragments() noexcept;
/// Messages in words and as octets, in the log at level trace.
void enable_message_log() noexcept;

/// With all of this enabled.
std::shared_ptr<protocol::Messaging> make_messaging();

}  // namespace tenon::giop
