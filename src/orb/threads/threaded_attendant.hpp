// SPDX-License-Identifier: Apache-2.0
//
// The attendant of an ORB that has threads. One thread watches the clock and all connections that have a descriptor. Each other connection
// has a thread of its own while asynchronous calls are in flight on it. What follows the end of a call runs on workers, since it may take
// long.
//
// Threads: as Attendant.
#pragma once

#include <atomic>
#include <map>
#include <optional>
#include <vector>

#include "base/memory.hpp"
#include "base/thread_annotations.hpp"
#include "net/poller.hpp"
#include "orb/threads/attendant.hpp"
#include "orb/threads/thread.hpp"
#include "orb/threads/workers.hpp"

namespace tenon::orb {

class ThreadedAttendant final : public Attendant {
 public:
  /// `orb` handles requests that come over a connection that is attended to.
  ThreadedAttendant(protocol::Dispatcher& orb, unsigned most_workers, unsigned most_upcalls);
  ~ThreadedAttendant() override { stop(); }

  bool start() override;
  bool has_worker() override;
  void attend(protocol::Connection& connection) noexcept override TENON_EXCLUDES(mutex_);
  void watch_resting(Ref<protocol::Connection> connection, Ref<Endpoint> endpoint) noexcept override;
  void run(std::function<void()> work) override { run_on(workers_, std::move(work)); }
  void run_upcall(std::function<void()> work) override { run_on(upcalls_, std::move(work)); }
  void remind(Ref<Timed> who, Deadline when) override TENON_EXCLUDES(mutex_);
  void forget(Timed& who) noexcept override TENON_EXCLUDES(mutex_);
  void keep_time() noexcept override {}
  void end_those_due() override {}
  void stop() noexcept override TENON_EXCLUDES(joining_, mutex_);
  bool on_own_thread() const noexcept override;
  void close() noexcept override {}
  void release() noexcept override;

 private:
  /// A connection that is watched until it has no more calls, or one that rests.
  struct Watched {
    Ref<protocol::Connection> connection;
    Ref<Endpoint> endpoint;  // of one that rests
  };

  using Connections = memory::Vector<Ref<protocol::Connection>, memory::Kind::connections>;

  void run_on(Workers& workers, std::function<void()> work);
  void watch() noexcept TENON_EXCLUDES(mutex_);
  bool take_arrivals() TENON_EXCLUDES(mutex_);
  void watch_for_input(Ref<protocol::Connection> connection);
  void serve_what_came(protocol::Connection& connection) noexcept;
  void serve_alone(protocol::Connection& connection) noexcept;
  void let_go(protocol::Connection& connection) noexcept;
  void end_rest(protocol::Connection* connection) noexcept;
  Deadline tell_expired() TENON_EXCLUDES(mutex_);
  Ref<Timed> take_due(Deadline& next) TENON_EXCLUDES(mutex_);

  protocol::Dispatcher& orb_;
  std::optional<net::Poller> poller_;  // from start() on
  std::map<protocol::Connection*, Watched, std::less<>,
           memory::Allocator<std::pair<protocol::Connection* const, Watched>, memory::Kind::connections>>
      watched_;    // the thread that watches uses it alone
  Mutex joining_;  // held while threads are joined
  Mutex mutex_;
  Connections arrivals_ TENON_GUARDED_BY(mutex_);
  Reminders reminders_ TENON_GUARDED_BY(mutex_);
  bool stopping_ TENON_GUARDED_BY(mutex_) = false;
  std::atomic<bool> has_worker_{false};
  Thread watcher_;
  Workers readers_;
  Workers upcalls_;
  Workers workers_;
};

}  // namespace tenon::orb
