// SPDX-License-Identifier: Apache-2.0
//
// Keeps time for an ORB with a single thread: the reactor's thread tells those whose time has come, whenever it serves. It is all that a
// server without calls of its own needs; ReactiveAttendant serves calls as well. Work that is left to run() is done at once.
//
// Threads: as Attendant.
#pragma once

#include <atomic>

#include "base/thread_annotations.hpp"
#include "net/descriptor.hpp"
#include "orb/threads/attendant.hpp"
#include "orb/threads/reactor.hpp"

namespace tenon::orb {

class Timekeeper : public Attendant {
 public:
  explicit Timekeeper(Reactor& reactor) noexcept : reactor_(reactor), clock_(*this) {}
  ~Timekeeper() override { Timekeeper::stop(); }

  bool start() override;
  bool attends() const noexcept override { return false; }
  bool has_worker() override { return false; }
  void attend(protocol::Connection&) noexcept override {}
  void watch_resting(Ref<protocol::Connection>, Ref<Endpoint>) noexcept override {}
  void run(std::function<void()> work) override { work(); }
  void run_upcall(std::function<void()> work) override { work(); }
  void remind(Ref<Timed> who, Deadline when) override TENON_EXCLUDES(mutex_);
  void forget(Timed& who) noexcept override TENON_EXCLUDES(mutex_);
  void keep_time() noexcept override TENON_EXCLUDES(mutex_);
  void end_those_due() override { keep_time(); }
  void stop() noexcept override TENON_EXCLUDES(mutex_);
  bool on_own_thread() const noexcept override { return false; }
  void close() noexcept override TENON_EXCLUDES(mutex_);

 protected:
  /// Some have been told that their time has come. On the reactor's thread.
  virtual void told_some() {}

  Reactor& reactor_;
  Mutex mutex_;
  bool stopped_ TENON_GUARDED_BY(mutex_) = false;

 private:
  struct Clock final : Reactor::Source {
    explicit Clock(Timekeeper& of) noexcept : keeper(of) {}
    void ready() override { keeper.tell_those_due(); }
    Timekeeper& keeper;
  };
  void tell_those_due() TENON_EXCLUDES(mutex_);
  Ref<Timed> take_due() TENON_EXCLUDES(mutex_);
  void set_clock(std::int64_t when) noexcept TENON_REQUIRES(mutex_);

  Clock clock_;
  net::Descriptor timer_;
  Reminders reminders_ TENON_GUARDED_BY(mutex_);
  std::atomic<std::int64_t> clock_set_{0};  // when the timer goes off; 0: it is off. Changes with the lock
};

}  // namespace tenon::orb
