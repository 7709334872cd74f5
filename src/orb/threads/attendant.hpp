// SPDX-License-Identifier: Apache-2.0
//
// The attendant of an ORB serves its asynchronous calls: it reads their connections, tells them when their time is over, and runs what
// follows their end. It keeps time for connections, too. ThreadedAttendant has threads for that; ReactiveAttendant belongs to an ORB with
// a single thread, and so does Timekeeper, which only keeps time. Each is a part of the ORB: there may be none.
//
// Threads: everything from any thread. attend() and run() may be called with a connection's locks held: they take one lock, under which
// nothing else is called.
#pragma once

#include <functional>
#include <memory>

#include "base/clock.hpp"
#include "base/function_ref.hpp"
#include "base/ref.hpp"
#include "base/room_for.hpp"
#include "orb/client/endpoint.hpp"
#include "orb/threads/reminders.hpp"
#include "protocol/messaging.hpp"

namespace tenon::orb {

class Orb;
class ServingWait;

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
  /// Whether it serves asynchronous calls, and connections of calls that were abandoned.
  virtual bool attends() const noexcept { return true; }
  /// Must be called before run() is called with a lock held: makes sure that there is a worker. False: none could be made.
  virtual bool has_worker() = 0;
  /// Serves the connection as long as protocol::Connection::stay() says so.
  virtual void attend(protocol::Connection& connection) noexcept = 0;
  /// As protocol::ConnectionClock says. An attendant with a thread of its own reads anyway.
  virtual Room wait_for_room(protocol::Connection&, Deadline) noexcept { return Room::not_here; }
  /// Watches a connection that rests: when something comes, calls protocol::Connection::look(), and has the endpoint drop the connection if
  /// it has ended. May be called again for the same connection. On the thread that keeps time.
  virtual void watch_resting(Ref<protocol::Connection> connection, Ref<Endpoint> endpoint) noexcept = 0;
  /// Runs work that may take long and does not throw, on a worker. After stop(): at once, on this thread.
  virtual void run(std::function<void()> work) = 0;
  /// As run(), for an asynchronous call to an object of this process: such upcalls have workers of their own.
  virtual void run_upcall(std::function<void()> work) = 0;

  /// `who` waits for no other time.
  virtual void remind(Ref<Timed> who, Deadline when) = 0;
  /// Takes a reminder back, unless it has been told already.
  virtual void forget(Timed& who) noexcept = 0;
  using Tell = void (protocol::Connection::*)() noexcept;
  /// Calls `what` of the connection at `when`. False: it will not, since memory is short.
  virtual bool tell(protocol::Connection& connection, Deadline when, Tell what) noexcept;

  /// Tells those whose time has come. Called by the thread of an ORB that has only one, which must keep time as well.
  virtual void keep_time() noexcept = 0;
  /// As keep_time(); if any has been told since the last call, it also runs the work that has been left to run() so far.
  virtual void end_those_due() = 0;

  // --- the waits of a thread that is the only one to serve ---

  /// If this thread is that one: makes what it waits with for the reply of a call that it is about to begin. Null: it blocks.
  virtual ServingWait* make_wait(RoomFor<ServingWait>& /*room*/) { return nullptr; }
  enum class Waited : std::uint8_t {
    not_here,  ///< another thread serves, so this one has to block
    done,
    timed_out,
  };
  /// If this thread is that one: serves until `done`, which does not throw, or the deadline. TRANSIENT when too many wait already.
  virtual Result<Waited> wait_here(FunctionRef<bool()> done, Deadline by) {
    static_cast<void>(done);
    static_cast<void>(by);
    return Waited::not_here;
  }

  /// Waits for the work that has been left to run(). The connections must have been closed. Not on one of its own threads.
  virtual void stop() noexcept = 0;
  virtual bool on_own_thread() const noexcept = 0;
  /// After stop(), when the reactor closes: gives the descriptors back that are still open.
  virtual void close() noexcept = 0;
  /// Deletes it: on another thread if this is one of its own, since a thread cannot wait for itself. Where no thread can be made it stays.
  virtual void release() noexcept { delete this; }

 protected:
  /// Something has come over a connection that rested.
  static void look(protocol::Connection& connection, Endpoint& endpoint) noexcept {
    connection.look();
    if (!connection.usable()) endpoint.drop_ended();
  }
};

/// The attendants, as parts of an ORB: of one with threads; of one with a single thread, which may make calls or only keeps time.
std::unique_ptr<Attendant> make_threaded_attendant(Orb& orb);
std::unique_ptr<Attendant> make_reactive_attendant(Orb& orb);
std::unique_ptr<Attendant> make_timekeeper(Orb& orb);

}  // namespace tenon::orb
