// SPDX-License-Identifier: Apache-2.0
//
// Bidirectional connections of one protocol (CORBA 3.4 part 2 §9.8, §9.9). On those that this process opens, it offers the addresses at
// which it listens, and serves requests. For those that it has accepted, it knows at which addresses their peers say that they listen, so
// that calls to these addresses use the connection that exists.
//
// A peer can name addresses that are not its own, and calls to them then go to that peer. So no peer is believed before the program
// says so, no connection may name more than most_points, and addresses that this process publishes are never looked for here.
// A part of the ORB: where there is none, no connection is bidirectional.
// Threads: everything from any thread; the mutex is held while looking at the table only.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "orb/client/endpoint.hpp"
#include "protocol/bidirectional.hpp"

namespace tenon::orb {

class Orb;
class Server;
struct Protocol;

class Bidirectional : public protocol::Bidirectional {
 public:
  static constexpr std::size_t most_points = 16;  ///< so many listen points of one connection are believed

  // --- connections that we open ---

  /// Called once: this process listens at the points of `server` that are of `transport`, if there are any. The server, which lives as long
  /// as the ORB, serves connections that it opens.
  virtual void listen(Server& server, const protocol::TransportPlugin& transport) = 0;
  /// Whether listen() has been called: before that there is nothing to offer.
  virtual bool listens() const noexcept = 0;
  /// Begins to serve a connection that we have opened. False: no thread is left for it, or the ORB ends.
  virtual bool serve(const Ref<protocol::Connection>& connection) = 0;

  // --- connections that we have accepted ---

  virtual void believe() noexcept = 0;
  /// An endpoint that has the newest usable connection whose peer listens at `address`; null: there is no such connection.
  virtual Ref<Endpoint> to(const std::string& address) = 0;

  /// Forgets everything, for good.
  virtual void close() noexcept = 0;
};

/// Of one protocol of the ORB.
std::shared_ptr<Bidirectional> make_bidirectional(Orb& orb, const Protocol& protocol);

}  // namespace tenon::orb
