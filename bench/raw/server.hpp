// SPDX-License-Identifier: Apache-2.0
//
// What a raw server does with a connection, after its Plan (sockets.hpp).
#pragma once

#include "sockets.hpp"

namespace raw {

/// Until the peer closes it or a signal comes.
void serve_connection(int fd);

/// Accepts connections for ever, with a thread for each; returns when accept() is interrupted or refused.
void accept_connections(int listener);

}  // namespace raw
