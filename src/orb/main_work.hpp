// SPDX-License-Identifier: Apache-2.0
//
// Work that must be done by one thread, the "main" one: upcalls of MAIN_THREAD_MODEL POAs (CORBA 3.4 part 1 §15.3.8.1). The main
// thread is the first that calls ORB::run() or ORB::perform_work(), and stays it. Work is done in the order in which it came, one
// piece at a time.
//
// Threads: everything from any thread. The lock is not held while work runs.
#pragma once

#include <atomic>
#include <thread>

#include "base/function_ref.hpp"
#include "base/thread_annotations.hpp"

namespace tenon::orb {

class MainWork {
 public:
  /// A piece of work that nobody waits for. Its owner is whoever runs it.
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

  /// Returns when the main thread has done the work; on the main thread itself it is done at once. False: it was not begun, since
  /// stop() came first.
  bool run(FunctionRef<void()> work) TENON_EXCLUDES(mutex_);
  /// Leaves the work to the main thread. Once there is none that serves, which is after stop(), it is done here.
  void post(Posted* work) noexcept TENON_EXCLUDES(mutex_);

  /// Whether the current thread is the main one.
  bool is_main() const noexcept {
    return main_.load(std::memory_order_acquire) == std::this_thread::get_id();
  }
  bool pending() const noexcept TENON_EXCLUDES(mutex_);
  /// One piece of work, if there is any and this is the main thread. Does not wait.
  void perform() TENON_EXCLUDES(mutex_);
  /// What there is, until finish(). Returns at once on other threads than the main one.
  void serve() TENON_EXCLUDES(mutex_);
  /// What runs goes on; whoever waits with work that has not begun is sent away. Posted work is done by the main thread if it is in
  /// serve(), else here.
  void stop() noexcept TENON_EXCLUDES(mutex_);
  /// After stop(): nothing more will be posted that the main thread should wait for.
  void finish() noexcept TENON_EXCLUDES(mutex_);

 private:
  /// One piece; of run() it lives on the stack of the thread that waits for it.
  struct Piece {
    const FunctionRef<void()>* work = nullptr;
    Posted* posted = nullptr;
    enum class State : std::uint8_t { waiting, done, refused } state = State::waiting;
    Piece* next = nullptr;
  };
  bool claim() noexcept;
  void append(Piece& piece) noexcept TENON_REQUIRES(mutex_);
  Piece* take() noexcept TENON_REQUIRES(mutex_);
  void run_piece(Piece& piece) TENON_REQUIRES(mutex_);

  std::atomic<std::thread::id> main_{};
  mutable Mutex mutex_;
  CondVar changed_;
  Piece* first_ TENON_GUARDED_BY(mutex_) = nullptr;
  Piece* last_ TENON_GUARDED_BY(mutex_) = nullptr;
  bool stopped_ TENON_GUARDED_BY(mutex_) = false;
  bool finished_ TENON_GUARDED_BY(mutex_) = false;
  bool serving_ TENON_GUARDED_BY(mutex_) = false;
};

}  // namespace tenon::orb
