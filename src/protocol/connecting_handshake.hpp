// SPDX-License-Identifier: Apache-2.0
//
// The handshake of a connection that this side opens, for TransportPlugin::connect(): the exception of the call says why it failed.
// Not for accepted connections, whose handshakes the ORB runs. No state.
#pragma once

#include "base/clock.hpp"
#include "base/error.hpp"

namespace tenon::protocol {

class Transport;

/// Does Transport::handshake() until it is done, and waits until the deadline at most. TRANSIENT (cannot_connect): it failed;
/// TIMEOUT (connect_timed_out): the deadline passed first. Then the calling thread's trail (base/trail.hpp) has the transport's
/// text, which tenon::tried() and what() of the exception show. Any thread.
Status connecting_handshake(Transport& transport, Deadline deadline);

}  // namespace tenon::protocol
