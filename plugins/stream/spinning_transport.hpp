// SPDX-License-Identifier: Apache-2.0
//
// A stream transport that may look for input again and again for a bounded time before it sleeps (net/spin.hpp). It is a class of its own,
// so that transports which never do so pay nothing. Threads: as Transport asks.
#pragma once

#include "net/spin.hpp"
#include "plugins/stream/stream_transport.hpp"

namespace tenon::stream {

class SpinningTransport : public StreamTransport {
 public:
  SpinningTransport(net::Descriptor&& socket, std::string&& peer, std::uint32_t spin_us) noexcept
      : StreamTransport(std::move(socket), std::move(peer)), spin_(std::int64_t{spin_us} * 1000) {}

  protocol::Transfer receive(MutableBytes into, Deadline deadline) override;

 private:
  net::Spin spin_;  // used by the receiving thread
};

/// `spin_us`: as in TransportOptions. Null: memory is short, and the socket is still the caller's.
std::unique_ptr<protocol::Transport> make_stream_transport(net::Descriptor&& socket, std::string peer,
                                                           std::optional<std::uint32_t> spin_us);

}  // namespace tenon::stream
