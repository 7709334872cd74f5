// SPDX-License-Identifier: Apache-2.0
//
// What a connection that may be bidirectional (bidirectional GIOP) asks of the ORB. The side that opens the connection offers its
// listen points, the addresses of its objects; the side that accepts it may call those objects over it instead of connecting.
//
// Not here: when that is allowed, and which calls go that way (the ORB's business).
// Threads: everything from any thread, with no lock of a connection held.
#pragma once

#include "base/bytes.hpp"

namespace tenon::protocol {

class Connection;

class Bidirectional {
 public:
  virtual ~Bidirectional() = default;

  /// The listen points that this process offers on connections that it opens: the service context's data. Does not change.
  virtual ByteView offer() const noexcept = 0;

  /// Whether offers on accepted connections are used.
  virtual bool believes() const noexcept = 0;
  /// The peer of `connection` has sent an offer. There may be several; each adds to the earlier ones.
  virtual void offered(Connection& connection, ByteView offer) noexcept = 0;
  /// That connection is no longer usable.
  virtual void ended(Connection& connection) noexcept = 0;
};

}  // namespace tenon::protocol
