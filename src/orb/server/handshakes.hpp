// SPDX-License-Identifier: Apache-2.0
//
// Handshakes of accepted connections (protocol::Transport::handshake()): in the connection's own thread, or, where a poller watches it, a
// step at a time whenever it can go on. A part: a program links it whose protocols have one.
#pragma once

namespace tenon::orb {

/// In this process, for good. Any thread, any number of times.
void enable_handshakes() noexcept;

}  // namespace tenon::orb
