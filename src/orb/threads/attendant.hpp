// SPDX-License-Identifier: Apache-2.0
//
// The attendant of an ORB serves its asynchronous calls: it reads their connections, tells them when their time is over, and runs what
// follows their end. It keeps time for connections, too. ThreadedAttendant has threads for that; ReactiveAttendant belongs to an ORB with
// a single thread.
//
// Threads: everything from any thread. attend() and run() may be called with a connection's locks held: they take one lock, under which
// nothing else is called.
#pragma once

#include <functional>

#include "base/clock.hpp"
#include "base/ref.hpp"
#include "orb/client/endpoint.hpp"
#include "orb/threads/reminders.hpp"
#include "protocol/messaging.hpp"

namespace tenon::orb {

class Attendant {
 public:
  using Timed = orb::Timed;
  using Room = protocol::ConnectionClock::Room;

  Attendant() = default;
  Attendant(const Attendant&) = delete;
  Attendant& operator=(const Attendant&) = delete;
  virtual ~Attendant() = default;

  /// Once, before anything else. False: no thread, or no descriptor, could be made.
  virtual bool start() = 0;
  /// Must be called before run() is called with a lock held: makes sure that there is a worker. False: none could be made.
  virtual bool has_worker() = 0;
  /// Serves the connection as long as protocol::Connection::stay() says so.
  virtual void attend(protocol::Connection& connection) noexcept = 0;
  /// As protocol::ConnectionClock says. An attendant with a thread of its own reads anyway.
  virtual Room wait_for_room(protocol::Connection&, Deadline) noexcept { return Room::not_here; }
  /// Watches a connection that rests: when something comes, calls protocol::Connection::look(), and has the endpoint drop the connection if
  /// it has ended. May be called again for the same connection. On the thread that keeps time.
  virtual void watch_resting(Ref<protocol::Connection> connection, Ref<Endpoint> endpoint) noexcept = 0;
  /// Runs work that may take long, on a worker. After stop(): at once, on this thread.
  virtual void run(std::function<void()> work) = 0;
  /// As run(), for an asynchronous call to an object of this process: such upcalls have workers of their own.
  virtual void run_upcall(std::function<void()> work) = 0;

  virtual void remind(Ref<Timed> who, Deadline when) = 0;
  /// Takes a reminder back, unless it has been told already.
  virtual void forget(const Timed& who, Deadline when) noexcept = 0;

  /// Tells those whose time has come. Called by the thread of an ORB that has only one, which must keep time as well.
  virtual void keep_time() noexcept = 0;
  /// As keep_time(); if any has been told since the last call, it also runs the work that has been left to run() so far.
  virtual void end_those_due() = 0;

  /// Waits for the work that has been left to run(). The connections must have been closed. Not on one of its own threads.
  virtual void stop() noexcept = 0;
  virtual bool on_own_thread() const noexcept = 0;
  /// After stop(), when the reactor closes: gives the descriptors back that are still open.
  virtual void close() noexcept = 0;

 protected:
  /// Something has come over a connection that rested.
  static void look(protocol::Connection& connection, Endpoint& endpoint) noexcept {
    connection.look();
    if (!connection.usable()) endpoint.drop_ended();
  }
};

}  // namespace tenon::orb
