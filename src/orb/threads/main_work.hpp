// SPDX-License-Identifier: Apache-2.0
//
// Work that must be done by one thread, the "main" one: upcalls of MAIN_THREAD_MODEL POAs (CORBA 3.4 part 1 §15.3.8.1). The main
// thread is the first that calls ORB::run() or ORB::perform_work(), and stays it. Work is done in the order in which it came, one
// piece at a time.
//
// An ORB with a single thread may lend the place of the main thread while there is none (claim_for_now()).
//
// Threads: everything from any thread. The lock is not held while work runs.
#pragma once

#include <atomic>
#include <thread>

#include "base/function_ref.hpp"
#include "base/thread_annotations.hpp"
#include "net/descriptor.hpp"

namespace tenon::orb {

class MainWork {
 public:
  /// A piece of work whose end no thread awaits. The thread that runs it deletes it.
  class Posted {
   public:
    virtual ~Posted() = default;
    virtual void run() noexcept = 0;
  };

  MainWork() = default;
  MainWork(const MainWork&) = delete;
  MainWork& operator=(const MainWork&) = delete;
  ~MainWork() {
    stop();
    finish();
  }

  /// What has become of the work of run().
  enum class Ran : std::uint8_t {
    done,
    refused,  ///< not begun, since stop() came first
    late,     ///< not begun before the deadline, and never will be
  };
  /// Returns when the main thread has done the work, which does not throw; on the main thread itself it is done at once. Work that has begun is waited for
  /// whatever the deadline says.
  Ran run(FunctionRef<void()> work, Deadline begin_by = Deadline::never()) TENON_EXCLUDES(mutex_);
  /// Leaves the work to the main thread. After stop(), when no main thread serves any more, the work is done on this thread.
  void post(Posted* work) noexcept TENON_EXCLUDES(mutex_);

  /// Whether the current thread is the main one.
  bool is_main() const noexcept {
    return main_.load(std::memory_order_acquire) == std::this_thread::get_id();
  }
  bool has_main() const noexcept { return main_.load(std::memory_order_acquire) != std::thread::id(); }
  /// The current thread is the main one until give_up(), if there is none. False: nothing has changed.
  bool claim_for_now() noexcept TENON_EXCLUDES(mutex_);
  void give_up() noexcept TENON_EXCLUDES(mutex_);
  bool pending() const noexcept TENON_EXCLUDES(mutex_);
  /// Readable while there is something for the main thread to do, and from finish() on. Made by the first call; -1: it could not be made.
  int descriptor() noexcept TENON_EXCLUDES(mutex_);
  /// After finish(): gives the descriptor back, and makes none any more.
  void close_descriptor() noexcept TENON_EXCLUDES(mutex_);
  /// Does one piece of work, if there is any and this is the main thread. Does not wait.
  void perform() TENON_EXCLUDES(mutex_);
  /// Does all work that comes until finish(). Returns at once on other threads than the main one.
  void serve() TENON_EXCLUDES(mutex_);
  /// As serve(), for a main thread that also waits for other things: `wait` returns when descriptor() is readable, or earlier.
  void serve(FunctionRef<void()> wait) TENON_EXCLUDES(mutex_);
  /// Work that runs goes on; run() returns `refused` where its work has not begun. Posted work is done by the main thread if it is in
  /// serve(), else here.
  void stop() noexcept TENON_EXCLUDES(mutex_);
  /// After stop(): nothing more will be posted that the main thread should wait for.
  void finish() noexcept TENON_EXCLUDES(mutex_);

 private:
  /// A piece of run() lives on the stack of the thread that waits for it.
  struct Piece {
    const FunctionRef<void()>* work = nullptr;
    Posted* posted = nullptr;
    enum class State : std::uint8_t { waiting, running, done, refused } state = State::waiting;
    Piece* next = nullptr;
  };
  bool claim() noexcept TENON_EXCLUDES(mutex_);
  void serve_with(const FunctionRef<void()>* wait) TENON_EXCLUDES(mutex_);
  void show(bool work) noexcept TENON_REQUIRES(mutex_);
  void append(Piece& piece) noexcept TENON_REQUIRES(mutex_);
  Piece* take() noexcept TENON_REQUIRES(mutex_);
  void take_back(Piece& piece) noexcept TENON_REQUIRES(mutex_);
  void run_piece(Piece& piece) TENON_REQUIRES(mutex_);

  std::atomic<std::thread::id> main_{};
  mutable Mutex mutex_;
  CondVar changed_;
  Piece* first_ TENON_GUARDED_BY(mutex_) = nullptr;
  Piece* last_ TENON_GUARDED_BY(mutex_) = nullptr;
  net::Descriptor event_ TENON_GUARDED_BY(mutex_);
  bool shown_ TENON_GUARDED_BY(mutex_) = false;    // event_ is readable
  bool for_now_ TENON_GUARDED_BY(mutex_) = false;  // main_ is only lent
  bool stopped_ TENON_GUARDED_BY(mutex_) = false;
  bool finished_ TENON_GUARDED_BY(mutex_) = false;
  bool closed_ TENON_GUARDED_BY(mutex_) = false;  // there is no event_, for good
  bool serving_ TENON_GUARDED_BY(mutex_) = false;
};

}  // namespace tenon::orb
