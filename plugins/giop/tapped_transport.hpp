// SPDX-License-Identifier: Apache-2.0
//
// A transport that shows the octets that pass to a Tap, and changes nothing. It is for tracing: without tracing, connections use their
// transport directly and pay nothing.
//
// Threads: as Transport asks; the sending thread and the receiving thread call the Tap's functions.
#pragma once

#include <memory>

#include "protocol/transport.hpp"

namespace tenon::giop {

class Tap {
 public:
  Tap() = default;
  Tap(const Tap&) = delete;
  Tap& operator=(const Tap&) = delete;
  virtual ~Tap() = default;
  /// The next octets that were sent, or received.
  virtual void sent(ByteView octets) noexcept = 0;
  virtual void received(ByteView octets) noexcept = 0;
};

/// `transport` with the tap on it; both go with what is returned. Where memory is short, only the transport.
std::unique_ptr<protocol::Transport> tapped(std::unique_ptr<protocol::Transport> transport,
                                            std::unique_ptr<Tap> tap);

}  // namespace tenon::giop
