// SPDX-License-Identifier: Apache-2.0
//
// Makes outgoing stream connections, with a deadline and over several addresses, of which the first to answer wins. Blocking; any thread.
#pragma once

#include <span>
#include <vector>

#include "base/clock.hpp"
#include "net/address.hpp"
#include "net/descriptor.hpp"
#include "net/socket_buffers.hpp"

namespace tenon::net {

/// How long an address that does not answer keeps the next one waiting (RFC 8305 §5).
inline constexpr std::int64_t head_start_ms = 250;

struct Connected {
  Descriptor socket;      ///< blocking; none: see `os_error`
  std::size_t place = 0;  ///< of the address that has answered
};

/// Connects to one address, of any family but that of Unix-domain paths. No socket: `os_error` says why, ETIMEDOUT if the time was up,
/// and the thread's trail has the address.
Descriptor connect_to(const SocketAddress& address, Deadline deadline, int& os_error,
                      const SocketBuffers& buffers = {});
/// The same for the address of a Unix-domain path.
Descriptor connect_to_path(const SocketAddress& address, Deadline deadline, int& os_error,
                           const SocketBuffers& buffers = {});

/// Tries the addresses in attempt_order(), each with a head start before the next; the first that answers wins, so that the caller does
/// not wait for one that never answers. No socket: `os_error` is the last failure, ETIMEDOUT if the time was up. Addresses that failed
/// go into the thread's trail, those that were only slower do not.
Connected connect_first(std::span<const SocketAddress> addresses, Deadline deadline, int& os_error,
                        const SocketBuffers& buffers = {});
Descriptor connect_stream(std::span<const SocketAddress> addresses, Deadline deadline, int& os_error,
                          const SocketBuffers& buffers = {});

/// Whether TCP has connected the socket to itself: if no socket listens on an ephemeral port, the kernel can choose just that port for the
/// client (simultaneous open, RFC 9293 §3.5), and every request would come back as its own answer. Closing such a socket then resets the
/// connection: an ordinary end would leave the port in TIME-WAIT, where no server can listen on it.
bool ends_at_itself(int fd) noexcept;

/// The indexes of the addresses in the order in which they are tried: the given order, but with families alternating (RFC 8305 §4).
std::vector<std::size_t> attempt_order(std::span<const SocketAddress> addresses);

}  // namespace tenon::net
