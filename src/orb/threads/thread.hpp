// SPDX-License-Identifier: Apache-2.0
//
// A thread that the ORB makes, and that may be impossible to make.
// Threads: start() and join() by one at a time.
#pragma once

#include <pthread.h>

#include <utility>

namespace tenon::orb {

class Thread {
 public:
  using Run = void* (*)(void* of);  // its result means nothing

  Thread() = default;
  Thread(const Thread&) = delete;
  Thread& operator=(const Thread&) = delete;
  /// It has been joined.
  ~Thread() = default;

  /// Once. False: no thread could be made.
  bool start(Run run, void* of) noexcept {
    runs_ = ::pthread_create(&thread_, nullptr, run, of) == 0;
    return runs_;
  }
  /// Waits for its end, if it has been started and not been joined yet.
  void join() noexcept {
    if (std::exchange(runs_, false)) ::pthread_join(thread_, nullptr);
  }
  /// Whether the current thread is this one, which has been started.
  bool is_current() const noexcept { return ::pthread_equal(::pthread_self(), thread_) != 0; }

  /// Runs it on a thread that nobody waits for. False: no thread could be made.
  static bool detached(Run run, void* of) noexcept {
    pthread_t thread{};
    return ::pthread_create(&thread, nullptr, run, of) == 0 && ::pthread_detach(thread) == 0;
  }

 private:
  pthread_t thread_{};
  bool runs_ = false;
};

}  // namespace tenon::orb
