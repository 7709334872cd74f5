// SPDX-License-Identifier: Apache-2.0
//
// Threads that run tasks: one that has finished its task waits for the next. There are as many as are wanted at the same time, up to a
// limit.
// Threads: everything from any thread unless said otherwise.
#pragma once

#include <pthread.h>
#include <functional>
#include <vector>

#include "base/memory.hpp"
#include "base/thread_annotations.hpp"
#include "orb/threads/stacks.hpp"
#include "orb/threads/tasks.hpp"

namespace tenon::orb {

class Workers {
 public:
  explicit Workers(unsigned most);
  ~Workers() { stop(); }

  /// Runs the task, which does not throw, on an idle thread or a new one. False: all `most` threads are busy, or no thread could be made, or stopped.
  bool run(std::function<void()> task) TENON_EXCLUDES(mutex_);
  /// As run(), but if all threads are busy the task waits for one. False: there is not even one thread, and the task stays the
  /// caller's.
  bool queue(std::function<void()>&& task) TENON_EXCLUDES(mutex_);
  /// Makes so many threads before they are wanted, as far as they can be made.
  void start(unsigned count) TENON_EXCLUDES(mutex_);
  /// Before stop(): from now on a thread that has finished its task ends, unless no other one waits for tasks. Tasks are still taken.
  void wind_down() noexcept TENON_EXCLUDES(mutex_);
  /// No new tasks; waits for those that run. Not on one of its own threads.
  void stop() noexcept TENON_EXCLUDES(joining_, mutex_);

 private:
  static void* run_thread(void* workers);
  void work() TENON_EXCLUDES(mutex_);
  bool add_thread() TENON_REQUIRES(mutex_);

  const unsigned most_;
  Mutex joining_;  // held while threads are joined, so that a second stop() waits, too
  Mutex mutex_;
  CondVar wanted_;
  Tasks tasks_ TENON_GUARDED_BY(mutex_);
  Stacks stacks_ TENON_GUARDED_BY(mutex_);  // of threads_, for as long as this object
  memory::Vector<pthread_t, memory::Kind::connections> threads_ TENON_GUARDED_BY(mutex_);
  unsigned idle_ TENON_GUARDED_BY(mutex_) = 0;   // of threads_, those without a task; from when they are made
  unsigned alive_ TENON_GUARDED_BY(mutex_) = 0;  // of threads_, those that have not left work()
  bool winding_down_ TENON_GUARDED_BY(mutex_) = false;
  bool stopping_ TENON_GUARDED_BY(mutex_) = false;
};

}  // namespace tenon::orb
