// SPDX-License-Identifier: Apache-2.0
//
// How much of what is sent and received the kernel may hold for a socket (bytes; 0: as the system has it), and other settings that few
// sockets have. Plain data.
#pragma once

#include <cstdint>

namespace tenon::net {

struct SocketBuffers {
  std::uint32_t send = 0;
  std::uint32_t receive = 0;
};

/// SO_SNDBUF and SO_RCVBUF, of which the system gives as much as it allows. For TCP before listen() or connect(), which tell the peer how
/// much there can be.
void set_buffers(int fd, const SocketBuffers& buffers) noexcept;

/// SO_DONTROUTE: what is sent goes to hosts of the same network only.
void keep_off_routers(int fd) noexcept;

/// DSCP, 0 to 63 (RFC 2474): how routers are to treat what is sent, over IPv4 and IPv6. What a socket that listens has, those that it
/// accepts get.
void mark(int fd, std::uint8_t dscp) noexcept;

}  // namespace tenon::net
