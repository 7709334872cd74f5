// SPDX-License-Identifier: Apache-2.0
//
// How a connection begins: the client sends one message over the Unix-domain socket, with the descriptor of the memory, and does not wait.
// There is no answer: a server that does not want it hangs up. Afterwards the socket carries single octets that wake pollers, and
// its end is the peer's.
//
// Both processes are on one machine, so the message has their byte order. No state; any thread.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>

#include "net/descriptor.hpp"
#include "plugins/shmiop/segment.hpp"

namespace tenon::shmiop {

struct Hello {
  static constexpr std::uint32_t right_magic = 0x534D494F;
  static constexpr std::uint32_t right_version = 2;

  std::uint32_t magic = right_magic;
  std::uint32_t version = right_version;
  std::uint32_t ring_octets = usual_ring;
  std::uint32_t reserved = 0;
};

/// 0 or an errno.
int send_hello(int socket, const Hello& hello, int descriptor) noexcept;

enum class Greeting : std::uint8_t {
  came,
  not_yet,
  end,      ///< the peer has closed, or the socket failed
  refused,  ///< `why` says what was wrong
};
/// Reads it if it is there, and maps the memory; never waits. Descriptors that are not wanted are closed.
Greeting receive_hello(int socket, Segment& segment, const char*& why) noexcept;

/// Whether the process at the other end (of a connection; that which listened, for a client) runs as the user `wanted`. `who` names it.
bool is_of_user(int socket, uid_t wanted, std::string& who);

}  // namespace tenon::shmiop
