// SPDX-License-Identifier: Apache-2.0
//
// The attendant of an ORB with a single thread: the reactor's thread does everything, one thing at a time, whenever it serves. It makes no
// thread. A connection stays watched after its last call, until something else happens on it, so that a call costs no more system calls
// than it needs.
//
// Threads: as Attendant.
#pragma once

#include <atomic>
#include <deque>
#include <map>
#include <memory>
#include <vector>

#include "base/thread_annotations.hpp"
#include "net/descriptor.hpp"
#include "orb/threads/attendant.hpp"
#include "orb/threads/reactor.hpp"

namespace tenon::orb {

class ReactiveAttendant final : public Attendant {
 public:
  ReactiveAttendant(protocol::Dispatcher& orb, Reactor& reactor);
  ~ReactiveAttendant() override { stop(); }

  bool start() override;
  bool has_worker() override { return true; }
  void attend(protocol::Connection& connection) noexcept override TENON_EXCLUDES(mutex_);
  Room wait_for_room(protocol::Connection& connection, Deadline deadline) noexcept override
      TENON_EXCLUDES(mutex_);
  void watch_resting(Ref<protocol::Connection> connection, Ref<Endpoint> endpoint) noexcept override;
  void run(std::function<void()> work) override TENON_EXCLUDES(mutex_);
  void run_upcall(std::function<void()> work) override { run(std::move(work)); }
  void remind(Ref<Timed> who, Deadline when) override TENON_EXCLUDES(mutex_);
  void forget(const Timed& who, Deadline when) noexcept override TENON_EXCLUDES(mutex_);
  void keep_time() noexcept override TENON_EXCLUDES(mutex_);
  void end_those_due() override TENON_EXCLUDES(mutex_);
  /// Does on this thread what has been left to run(). On the reactor's thread it also lets go of its connections.
  void stop() noexcept override TENON_EXCLUDES(mutex_);
  bool on_own_thread() const noexcept override;
  void close() noexcept override TENON_EXCLUDES(mutex_);

 private:
  /// A connection that is watched for input: attended to, or resting.
  struct Watched final : Reactor::Source {
    Watched(ReactiveAttendant& whose, Ref<protocol::Connection> which)
        : attendant(whose), connection(std::move(which)) {}
    void ready() override { attendant.serve(*this); }
    ReactiveAttendant& attendant;
    const Ref<protocol::Connection> connection;
    bool attended = false;  ///< this thread is the one to read it
    bool being_served = false;
    Ref<Endpoint> endpoint;  ///< to which the connection belongs; null: not known yet
  };
  struct ToDo final : Reactor::Source {
    explicit ToDo(ReactiveAttendant& whose) : attendant(whose) {}
    void ready() override { attendant.see_to_notes(); }
    ReactiveAttendant& attendant;
  };
  struct Clock final : Reactor::Source {
    explicit Clock(ReactiveAttendant& whose) : attendant(whose) {}
    void ready() override { attendant.tell_those_due(); }
    ReactiveAttendant& attendant;
  };

  void serve(Watched& watched);
  std::vector<Ref<protocol::Connection>> to_be_read() TENON_EXCLUDES(mutex_);
  void let_go(protocol::Connection& connection);
  void let_go_of_all() noexcept;
  void see_to_notes() TENON_EXCLUDES(mutex_);
  bool run_one() TENON_EXCLUDES(mutex_);
  void watch_for_input(Ref<protocol::Connection> connection);
  void tell_those_due() TENON_EXCLUDES(mutex_);
  Ref<Timed> take_due() TENON_EXCLUDES(mutex_);
  void drop_ended() TENON_EXCLUDES(mutex_);
  void set_clock(std::int64_t when) noexcept TENON_REQUIRES(mutex_);

  protocol::Dispatcher& orb_;
  Reactor& reactor_;
  ToDo to_do_;
  Clock clock_;
  net::Descriptor timer_;
  std::map<protocol::Connection*, std::unique_ptr<Watched>> watched_;  // the reactor's thread uses it alone
  Mutex mutex_;
  std::vector<Ref<protocol::Connection>> arrivals_ TENON_GUARDED_BY(mutex_);
  std::deque<std::function<void()>> tasks_ TENON_GUARDED_BY(mutex_);
  Reminders reminders_ TENON_GUARDED_BY(mutex_);
  std::atomic<std::int64_t> clock_set_{0};  // when the timer goes off; 0: it is off. Changes with the lock
  bool stopped_ TENON_GUARDED_BY(mutex_) = false;
  // The reactor's thread uses these alone:
  bool told_some_ = false;  // since the last end_those_due(): they may have left work to run()
  bool ending_ = false;     // inside end_those_due()
};

}  // namespace tenon::orb
