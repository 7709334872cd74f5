// SPDX-License-Identifier: Apache-2.0
//
// Stream transports over Unix-domain sockets: the system knows which process the peer is. Threads: as Transport asks.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "net/descriptor.hpp"
#include "protocol/transport.hpp"

namespace tenon::stream {

/// As make_stream_transport().
std::unique_ptr<protocol::Transport> make_unix_transport(net::Descriptor&& socket, std::string peer,
                                                         std::optional<std::uint32_t> spin_us);

}  // namespace tenon::stream
