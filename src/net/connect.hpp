// SPDX-License-Identifier: Apache-2.0
//
// Makes outgoing stream connections, with a deadline and over several addresses in order. Blocking; any thread.
#pragma once

#include <span>
#include <string>

#include "base/clock.hpp"
#include "net/address.hpp"
#include "net/descriptor.hpp"

namespace tenon::net {

/// Tries the addresses in order and gives each one its share of the time that is left, so that one that swallows packets does not
/// starve the others. The socket comes back blocking. No socket: `os_error` is the last failure, ETIMEDOUT if the time was up. Each
/// failure goes into the thread's trail.
Descriptor connect_stream(std::span<const SocketAddress> addresses, Deadline deadline, int& os_error);

}  // namespace tenon::net
