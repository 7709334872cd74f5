// SPDX-License-Identifier: Apache-2.0
//
// Threads for upcalls, which live long: one that has finished its task waits for the next. Grows on demand up to a limit.
// Any thread may run() tasks; stop() joins.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace tenon::orb {

class Workers {
 public:
  explicit Workers(unsigned most) : most_(most) {}
  ~Workers() { stop(); }

  /// Runs the task on an idle thread or a new one. False: all `most` threads are busy, or no thread could be made, or stopped.
  bool run(std::function<void()> task);
  /// The same, but where all threads are busy the task waits for one. False: there is not even one thread, and the task stays the
  /// caller's.
  bool queue(std::function<void()>&& task);
  /// The end is near: a thread that has finished its task waits for the next only if no other one does. Tasks are taken as ever.
  void wind_down() noexcept;
  /// No new tasks; waits for those that run. Not on one of its own threads.
  void stop() noexcept;

 private:
  void work();
  bool add_thread();

  const unsigned most_;
  std::mutex joining_;  // held while threads are joined: whoever stops second waits too
  std::mutex mutex_;
  std::condition_variable wanted_;
  std::deque<std::function<void()>> tasks_;
  std::vector<std::thread> threads_;
  unsigned idle_ = 0;
  unsigned alive_ = 0;  // of threads_, those that have not left work()
  bool winding_down_ = false;
  bool stopping_ = false;
};

}  // namespace tenon::orb
