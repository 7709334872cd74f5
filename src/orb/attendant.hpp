// SPDX-License-Identifier: Apache-2.0
//
// What goes on for calls that no thread waits for: their connections are read, their time runs out, and what follows their end is run.
// One thread watches all connections that have a descriptor and the clock; each other connection has a thread of its own while such
// calls are in flight on it. What follows the end of a call runs on workers, since it may take its time.
//
// Threads: everything from any thread. attend() and run() take one lock that is held for nothing else than taking note, so they may be
// called with a connection's locks held; nothing is called under it.
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <thread>
#include <vector>

#include "base/clock.hpp"
#include "base/ref.hpp"
#include "net/poller.hpp"
#include "orb/endpoint.hpp"
#include "orb/workers.hpp"
#include "protocol/messaging.hpp"

namespace tenon::orb {

class Attendant {
 public:
  /// Is told when a point in time has come, on the thread that reads connections: must not wait.
  class Timed : public RefCounted {
   public:
    virtual void expired() noexcept = 0;
  };

  /// `orb` is asked when a peer sends requests over a connection that is attended to.
  Attendant(protocol::Dispatcher& orb, unsigned most_workers, unsigned most_upcalls);
  virtual ~Attendant() { Attendant::stop(); }
  Attendant(const Attendant&) = delete;
  Attendant& operator=(const Attendant&) = delete;

  /// Once, before anything else. False: there is no thread to be had.
  virtual bool start();
  /// Before run() with a lock held: there is a worker. False: there is none to be had.
  virtual bool has_worker();
  /// Serves the connection as long as protocol::Connection::stay() says so.
  virtual void attend(protocol::Connection& connection) noexcept;
  /// Has the connection look at what comes while it rests (protocol::Connection::look()), and the endpoint let go of it when that is its
  /// end. Again at will. On the thread that tells the time.
  virtual void watch_resting(Ref<protocol::Connection> connection, Ref<Endpoint> endpoint) noexcept;
  /// On a worker. After stop() at once, here.
  virtual void run(std::function<void()> work);
  /// The same for calls to objects of this process, whose servants may take their time: on a worker of another kind.
  virtual void run_upcall(std::function<void()> work);

  virtual void remind(Ref<Timed> who, Deadline when);
  /// Whoever was not told yet will not be told.
  virtual void forget(const Timed& who, Deadline when) noexcept;

  /// For an ORB whose only thread keeps the time as well, by that thread: tells those whose time has come.
  virtual void keep_time() noexcept {}
  /// The same, and then, if anybody's time has come since the last time, does what has been left to run() so far.
  virtual void end_those_due() {}

  /// Waits for the work that has been left to run(). The connections must have been closed. Not on one of its own threads.
  virtual void stop() noexcept;
  virtual bool on_own_thread() const noexcept;
  /// After stop(), where that leaves descriptors: gives them back. When the reactor closes.
  virtual void close() noexcept {}

 protected:
  struct Reminder {
    std::int64_t when;
    Ref<Timed> who;
    bool operator<(const Reminder& other) const noexcept {
      return when != other.when ? when < other.when : who.get() < other.who.get();
    }
  };

  using Reminders = std::set<Reminder>;
  static Reminders::const_iterator find_reminder(const Reminders& among, const Timed& who,
                                                 Deadline when) noexcept;

  /// A connection that nobody reads.
  struct Resting {
    Ref<protocol::Connection> connection;
    Ref<Endpoint> endpoint;
    void look() const noexcept {
      connection->look();
      if (!connection->usable()) endpoint->drop_ended();
    }
  };

 private:
  void run_on(Workers& workers, std::function<void()> work);
  void watch() noexcept;
  bool take_arrivals();
  void watch_for_input(Ref<protocol::Connection> connection);
  void serve_what_came(protocol::Connection& connection) noexcept;
  void serve_alone(protocol::Connection& connection) noexcept;
  void let_go(protocol::Connection& connection) noexcept;
  void end_rest(protocol::Connection* connection) noexcept;
  Deadline tell_expired();

  protocol::Dispatcher& orb_;
  std::optional<net::Poller> poller_;  // from start() on; not of one that overrides it
  std::map<protocol::Connection*, Ref<protocol::Connection>> watched_;  // by the watching thread
  std::map<protocol::Connection*, Resting> resting_;                    // by the same
  std::mutex joining_;                                                  // held while threads are joined
  std::mutex mutex_;                                                    // guards what follows
  std::vector<Ref<protocol::Connection>> arrivals_;
  Reminders reminders_;
  bool stopping_ = false;
  std::atomic<bool> has_worker_{false};
  std::thread watcher_;
  Workers readers_;
  Workers upcalls_;
  Workers workers_;
};

}  // namespace tenon::orb
