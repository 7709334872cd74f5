// SPDX-License-Identifier: Apache-2.0
//
// Bidirectional connections of one protocol (CORBA 3.4 part 2 §9.8, §9.9). On those that this process opens, it offers the addresses at
// which it listens, and serves requests. For those that it has accepted, it knows at which addresses their peers say that they listen, so
// that calls to these addresses use the connection that exists.
//
// A peer can name addresses that are not its own, and calls to them then go to that peer. So no peer is believed before the program
// says so, no connection may name more than most_points, and addresses that this process publishes are never looked for here.
// Threads: everything from any thread; the mutex is held while looking at the table only.
#pragma once

#include <atomic>
#include <map>
#include <string>
#include <vector>

#include "base/thread_annotations.hpp"
#include "ior/iiop_profile.hpp"
#include "orb/client/endpoint.hpp"
#include "protocol/bidirectional.hpp"

namespace tenon::orb {

class Server;

class Bidirectional final : public protocol::Bidirectional {
 public:
  static constexpr std::size_t most_points = 16;  ///< so many listen points of one connection are believed

  Bidirectional(protocol::TransportPlugin& transport, protocol::Messaging& messaging, const Options& options)
      : transport_(transport), messaging_(messaging), options_(options) {}

  // --- connections that we open ---

  /// Called once: this process listens at `published`, and `server`, which lives as long as the ORB, serves connections that it opens.
  void listen(Server& server, const std::vector<std::string>& published);
  /// Whether listen() has been called: before that there is nothing to offer.
  bool listens() const noexcept { return server_.load(std::memory_order_acquire) != nullptr; }
  ByteView offer() const noexcept override { return offer_; }
  /// Begins to serve a connection that we have opened. False: no thread is left for it, or the ORB ends.
  bool serve(const Ref<protocol::Connection>& connection);

  // --- connections that we have accepted ---

  void believe() noexcept { believes_.store(true, std::memory_order_release); }
  bool believes() const noexcept override { return believes_.load(std::memory_order_acquire); }
  void offered(protocol::Connection& connection, ByteView offer) noexcept override TENON_EXCLUDES(mutex_);
  void ended(protocol::Connection& connection) noexcept override TENON_EXCLUDES(mutex_);
  /// An endpoint that has the newest usable connection whose peer listens at `address`; null: there is no such connection.
  Ref<Endpoint> to(const std::string& address) TENON_EXCLUDES(mutex_);

  /// Forgets everything, for good.
  void close() noexcept TENON_EXCLUDES(mutex_);

 private:
  struct Offered {
    Ref<Endpoint> endpoint;
    std::vector<std::string> points;
  };

  void note(protocol::Connection& connection, const std::vector<ior::IiopAddress>& points)
      TENON_EXCLUDES(mutex_);

  protocol::TransportPlugin& transport_;
  protocol::Messaging& messaging_;
  const Options& options_;  // the ORB's
  std::vector<std::uint8_t> offer_;
  std::atomic<Server*> server_{nullptr};
  std::atomic<bool> believes_{false};
  std::atomic<bool> any_{false};  // offered_ is not empty
  Mutex mutex_;
  std::map<protocol::Connection*, Offered> offered_ TENON_GUARDED_BY(mutex_);
  // Among equal addresses the newest connection comes last.
  std::multimap<std::string, protocol::Connection*> by_address_ TENON_GUARDED_BY(mutex_);
  bool closed_ TENON_GUARDED_BY(mutex_) = false;
};

}  // namespace tenon::orb
