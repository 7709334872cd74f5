// SPDX-License-Identifier: Apache-2.0
//
// What a call's policy says of a socket, as text (TransportPlugin::connect_with()) and as values. Plain data; any thread.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "net/socket_buffers.hpp"

namespace tenon::protocol {

struct SocketProperties {
  net::SocketBuffers buffers;      ///< 0: as the ORB's options have it
  std::optional<bool> keep_alive;  ///< TCP only, like the next ones; none: as the ORB's options have it
  std::optional<bool> dont_route;  ///< SO_DONTROUTE: only to hosts of the same network
  std::optional<bool> no_delay;
  std::optional<std::uint8_t> dscp;     ///< 0 to 63 (net::mark())
  std::optional<std::uint64_t> pacing;  ///< octets per second (net::pace()); 0: no limit

  /// `buffers` where they are not 0, else those of the options.
  net::SocketBuffers buffers_or(const net::SocketBuffers& usual) const noexcept {
    return {buffers.send != 0 ? buffers.send : usual.send,
            buffers.receive != 0 ? buffers.receive : usual.receive};
  }
};

/// "send_buffer=65536,no_delay=0": equal properties give equal texts. Empty: as the options have it.
std::string text_of(const SocketProperties& properties);

/// What is not one of these, or has a value that is none, is passed over.
SocketProperties read_socket_properties(std::string_view text) noexcept;

/// Sets what a TCP socket has by its properties beyond what any such socket is prepared with: dont_route, dscp and pacing.
void set_socket_properties(int fd, const SocketProperties& properties) noexcept;

struct SocketPropertyFunctions {
  decltype(&read_socket_properties) read;
  decltype(&set_socket_properties) set;
};
extern const SocketPropertyFunctions socket_property_functions;

/// These functions in programs that have such policies; null in others, which do not link them.
inline constinit std::atomic<const SocketPropertyFunctions*> socket_properties{nullptr};

}  // namespace tenon::protocol
