// SPDX-License-Identifier: Apache-2.0
//
// A transport that shows what passes to somebody else, and changes nothing. For tracing: where nobody traces, connections have their
// transport without it, and pay nothing.
//
// Threads: as Transport asks; a Tap's functions are called by whoever sends, and by whoever receives.
#pragma once

#include <memory>

#include "protocol/transport.hpp"

namespace tenon::protocol {

class Tap {
 public:
  Tap() = default;
  Tap(const Tap&) = delete;
  Tap& operator=(const Tap&) = delete;
  virtual ~Tap() = default;
  /// Octets that went, or came, behind the earlier ones.
  virtual void sent(ByteView octets) noexcept = 0;
  virtual void received(ByteView octets) noexcept = 0;
};

/// `transport` with the tap on it; both go with what is returned.
std::unique_ptr<Transport> tapped(std::unique_ptr<Transport> transport, std::unique_ptr<Tap> tap);

}  // namespace tenon::protocol
