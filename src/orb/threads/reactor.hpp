// SPDX-License-Identifier: Apache-2.0
//
// The one thread of an ORB that serves with a single thread (Serving::single_thread): waits for whatever comes, on any descriptor, and
// sees to one thing at a time. It makes no thread. While its thread waits for the reply of a call of its own, it goes on serving, so
// steps nest on that thread's stack, up to a limit.
//
// MainWork says which thread that is: the first that calls run() or perform_work(); before there is one, for the time of a call, the
// thread that made the ORB. Other threads may make calls, and wait as in any ORB; they serve nothing.
//
// Threads: watch(), again() and wake() from any; everything else on its own thread. The lock is held for taking note only.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <thread>

#include "base/clock.hpp"
#include "base/error.hpp"
#include "base/function_ref.hpp"
#include "base/thread_annotations.hpp"
#include "net/poller.hpp"
#include "net/spin.hpp"
#include "orb/server/user_count.hpp"
#include "orb/threads/main_work.hpp"
#include "protocol/messaging.hpp"

namespace tenon::orb {

class Attendant;
class CallEngine;
class Orb;

/// Is told when there is something to do for it. It must not be destroyed while it is told or watched.
class ReactorSource {
 public:
  virtual void ready() = 0;

 protected:
  ReactorSource() = default;
  ~ReactorSource() = default;

 private:
  friend class Reactor;
  ReactorSource* next_ = nullptr;
  bool queued_ = false;
};

class Reactor {
 public:
  using Source = ReactorSource;

  /// Of an ORB, which lives as long.
  explicit Reactor(Orb& orb);
  virtual ~Reactor();
  Reactor(const Reactor&) = delete;
  Reactor& operator=(const Reactor&) = delete;

  /// While a Use lives, the descriptors stay open. False: they are closed already.
  class Use {
   public:
    explicit Use(Reactor& reactor) noexcept : reactor_(reactor), open_(reactor.users_.enter()) {}
    ~Use() {
      if (open_ && reactor_.users_.leave()) reactor_.close_now();
    }
    Use(const Use&) = delete;
    Use& operator=(const Use&) = delete;
    explicit operator bool() const noexcept { return open_; }

   private:
    Reactor& reactor_;
    const bool open_;
  };

  // --- what the ORB does by it; virtual, so that an ORB with threads links none ---

  /// Does the main thread's work and everything else until the ORB ends; not if the descriptors are closed.
  virtual void run();
  /// Sees to one thing, if there is any, on the thread that serves.
  virtual void perform_work();
  /// Whether step() would find something now.
  virtual bool pending() noexcept;
  /// Readable when step() would find something to do. -1: it is gone.
  virtual int descriptor() noexcept;
  /// Gives the descriptors back, its own, the main thread's and those that the ORB has watched (Orb::close_descriptors()), as soon as no
  /// thread is in step() or waits any more: here, or on the last such thread. Nothing more is watched from then on. Once.
  virtual void close() noexcept;

  /// 0, or the errno of what could not be made.
  int error() const noexcept { return poller_.error(); }
  /// 0 or an errno; EBADF when the descriptors are gone.
  int watch(int fd, Source& source, net::Watch how) noexcept;
  void unwatch(int fd, Source& source) noexcept TENON_EXCLUDES(mutex_);
  /// Watches it in another way; on this thread, while the source is told. Inline, so that what calls it links no reactor.
  void watch_otherwise(int fd, Source& source, net::Watch how) noexcept {
    (void)poller_.change(fd, &source, how);
  }
  /// The source has something to do that no descriptor shows.
  void again(Source& source) noexcept TENON_EXCLUDES(mutex_);
  virtual void wake() noexcept;

  /// Sees to one thing; waits for it until the deadline. Inside a Use.
  void step(Deadline deadline) TENON_EXCLUDES(mutex_);
  /// For a program with a loop of its own: makes descriptor() readable if there is something to do that no descriptor shows.
  void show_pending() noexcept;

  bool is_here() const noexcept { return main_.is_main(); }
  /// Whether the current thread may serve while it waits.
  virtual bool serves_here() const noexcept;

 private:
  friend class NestedWait;
  struct MainSource final : Source {
    explicit MainSource(MainWork& of) : main(of) {}
    void ready() override { main.perform(); }
    MainWork& main;
  };
  bool see_to_queued() TENON_EXCLUDES(mutex_);
  void close_now() noexcept;

  Orb& orb_;
  MainWork& main_;
  const std::thread::id maker_;
  net::Poller poller_;
  UserCount users_;  // of its descriptors
  std::optional<net::Spin> spin_;
  MainSource main_source_;
  unsigned waits_ = 0;  // inside each other
  unsigned steps_ = 0;  // inside each other
  unsigned count_ = 0;  // of steps that found sources queued
  bool shown_ = false;  // show_pending() has made descriptor() readable since the last step
  std::atomic<unsigned> queued_{0};
  Mutex mutex_;
  Source* first_ TENON_GUARDED_BY(mutex_) = nullptr;
  Source* last_ TENON_GUARDED_BY(mutex_) = nullptr;
};

/// A wait of the reactor's thread, which serves meanwhile. Only if Reactor::serves_here() has returned true.
class NestedWait {
 public:
  explicit NestedWait(Reactor& reactor) noexcept
      : reactor_(reactor), use_(reactor), claimed_(reactor.main_.claim_for_now()) {}
  ~NestedWait();
  NestedWait(const NestedWait&) = delete;
  NestedWait& operator=(const NestedWait&) = delete;

  /// False: another thread has become the one that serves, or none serves any more.
  bool here() const noexcept { return use_ && reactor_.is_here(); }
  /// Once, before until(). TRANSIENT when too many wait already.
  Status begin();
  /// Serves until `done`, which does not throw, says so. False: time is up.
  bool until(FunctionRef<bool()> done, Deadline by);

 protected:
  Reactor& reactor_;

 private:
  const Reactor::Use use_;
  const bool claimed_;
  bool begun_ = false;
};

/// Waits for the reply of a call that was started as an asynchronous one. Made by Attendant::make_wait().
class ServingWait : public NestedWait, public protocol::Sink {
 public:
  /// `attendant`: the reactor's own, which reads the connection of the call.
  ServingWait(Reactor& reactor, Attendant& attendant) noexcept : NestedWait(reactor), attendant_(attendant) {}
  virtual ~ServingWait();
  /// Sends the request of the engine's call, whose sink this is and whose arguments have been written, as an asynchronous call does. This
  /// thread serves until that has ended, and the engine knows how.
  virtual void send_and_serve(CallEngine& engine, const protocol::CallSpec& spec);

 private:
  void done(protocol::OutgoingCall& call) noexcept override;
  void attend(protocol::Connection& connection) noexcept override;

  Attendant& attendant_;
  std::atomic<bool> done_{false};
};

/// The reactor, as a part of an ORB.
std::unique_ptr<Reactor> make_reactor(Orb& orb);

}  // namespace tenon::orb
