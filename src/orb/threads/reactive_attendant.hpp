// SPDX-License-Identifier: Apache-2.0
//
// The attendant of an ORB with a single thread: the reactor's thread does everything, one thing at a time, whenever it serves. It makes no
// thread. A connection stays watched after its last call, until something else happens on it, so that a call costs no more system calls
// than it needs.
//
// Threads: as Attendant.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <vector>

#include "base/memory.hpp"
#include "base/thread_annotations.hpp"
#include "orb/threads/tasks.hpp"
#include "orb/threads/timekeeper.hpp"

namespace tenon::orb {

class ReactiveAttendant final : public Timekeeper {
 public:
  ReactiveAttendant(protocol::Dispatcher& orb, Reactor& reactor);
  ~ReactiveAttendant() override { stop(); }

  bool attends() const noexcept override { return true; }
  bool has_worker() override { return true; }
  void attend(protocol::Connection& connection) noexcept override TENON_EXCLUDES(mutex_);
  Room wait_for_room(protocol::Connection& connection, Deadline deadline) noexcept override
      TENON_EXCLUDES(mutex_);
  void watch_resting(Ref<protocol::Connection> connection, Ref<Endpoint> endpoint) noexcept override;
  void run(std::function<void()> work) override TENON_EXCLUDES(mutex_);
  void run_upcall(std::function<void()> work) override { run(std::move(work)); }
  void end_those_due() override TENON_EXCLUDES(mutex_);
  /// Does on this thread what has been left to run(). On the reactor's thread it also lets go of its connections.
  void stop() noexcept override TENON_EXCLUDES(mutex_);
  bool on_own_thread() const noexcept override;
  void close() noexcept override TENON_EXCLUDES(mutex_);
  void release() noexcept override;
  ServingWait* make_wait(RoomFor<ServingWait>& room) override;
  Result<Waited> wait_here(FunctionRef<bool()> done, Deadline by) override;

 private:
  /// A connection that is watched for input: attended to, or resting.
  struct Watched final : Reactor::Source, memory::Of<memory::Kind::connections> {
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

  using Connections = memory::Vector<Ref<protocol::Connection>, memory::Kind::connections>;

  void serve(Watched& watched);
  Connections to_be_read() TENON_EXCLUDES(mutex_);
  Watched* watch(Ref<protocol::Connection> connection);
  void let_go(protocol::Connection& connection);
  void let_go_of_all() noexcept;
  void see_to_notes() TENON_EXCLUDES(mutex_);
  bool run_one() TENON_EXCLUDES(mutex_);
  void watch_for_input(Ref<protocol::Connection> connection);
  void told_some() override TENON_EXCLUDES(mutex_);
  void drop_ended() TENON_EXCLUDES(mutex_);

  protocol::Dispatcher& orb_;
  ToDo to_do_;
  std::map<protocol::Connection*, std::unique_ptr<Watched>, std::less<>,
           memory::Allocator<std::pair<protocol::Connection* const, std::unique_ptr<Watched>>,
                             memory::Kind::connections>>
      watched_;  // the reactor's thread uses it alone
  Connections arrivals_ TENON_GUARDED_BY(mutex_);
  Tasks tasks_ TENON_GUARDED_BY(mutex_);
  // The reactor's thread uses these alone:
  bool told_some_ = false;  // since the last end_those_due(): they may have left work to run()
  bool ending_ = false;     // inside end_those_due()
};

}  // namespace tenon::orb
