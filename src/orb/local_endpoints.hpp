// SPDX-License-Identifier: Apache-2.0
//
// Where an ORB listens by itself besides its first protocol. Linked by programs with a protocol that is local (Protocol::local).
#pragma once

#include "orb/orb.hpp"

namespace tenon::orb {

/// Opens an endpoint of each local protocol but the first protocol, which listens anyway. Does nothing for an ORB that was told its protocols
/// or has limits of memory. An endpoint that cannot be opened is left out, with a line in the log: the ORB can be reached all the same.
void listen_locally(const Orb& orb, Server& server);

}  // namespace tenon::orb
