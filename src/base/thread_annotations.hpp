// SPDX-License-Identifier: Apache-2.0
//
// Locks that clang's -Wthread-safety understands. They are thin wrappers of pthread: condition variables wait
// on the steady clock, and no heavy header is included.
#pragma once

#include <pthread.h>
#include <time.h>

#include "base/clock.hpp"

#if defined(__clang__)
#define TENON_THREAD_ATTRIBUTE(x) __attribute__((x))
#else
#define TENON_THREAD_ATTRIBUTE(x)
#endif

#define TENON_CAPABILITY(name) TENON_THREAD_ATTRIBUTE(capability(name))
#define TENON_SCOPED_CAPABILITY TENON_THREAD_ATTRIBUTE(scoped_lockable)
#define TENON_GUARDED_BY(mutex) TENON_THREAD_ATTRIBUTE(guarded_by(mutex))
#define TENON_PT_GUARDED_BY(mutex) TENON_THREAD_ATTRIBUTE(pt_guarded_by(mutex))
#define TENON_REQUIRES(...) TENON_THREAD_ATTRIBUTE(requires_capability(__VA_ARGS__))
#define TENON_EXCLUDES(...) TENON_THREAD_ATTRIBUTE(locks_excluded(__VA_ARGS__))
#define TENON_ACQUIRE(...) TENON_THREAD_ATTRIBUTE(acquire_capability(__VA_ARGS__))
#define TENON_TRY_ACQUIRE(...) TENON_THREAD_ATTRIBUTE(try_acquire_capability(__VA_ARGS__))
#define TENON_RELEASE(...) TENON_THREAD_ATTRIBUTE(release_capability(__VA_ARGS__))
#define TENON_ACQUIRED_AFTER(...) TENON_THREAD_ATTRIBUTE(acquired_after(__VA_ARGS__))
#define TENON_RETURN_CAPABILITY(mutex) TENON_THREAD_ATTRIBUTE(lock_returned(mutex))
#define TENON_NO_THREAD_SAFETY_ANALYSIS TENON_THREAD_ATTRIBUTE(no_thread_safety_analysis)

namespace tenon {

class TENON_CAPABILITY("mutex") Mutex {
 public:
  constexpr Mutex() noexcept = default;
  Mutex(const Mutex&) = delete;
  Mutex& operator=(const Mutex&) = delete;
  ~Mutex() { ::pthread_mutex_destroy(&handle_); }

  void lock() noexcept TENON_ACQUIRE() { ::pthread_mutex_lock(&handle_); }
  void unlock() noexcept TENON_RELEASE() { ::pthread_mutex_unlock(&handle_); }
  bool try_lock() noexcept TENON_TRY_ACQUIRE(true) { return ::pthread_mutex_trylock(&handle_) == 0; }

 private:
  friend class CondVar;
  pthread_mutex_t handle_ = PTHREAD_MUTEX_INITIALIZER;
};

/// Holds a mutex for a scope; may release it and take it again in between.
class TENON_SCOPED_CAPABILITY LockGuard {
 public:
  explicit LockGuard(Mutex& mutex) noexcept TENON_ACQUIRE(mutex) : mutex_(mutex) { mutex_.lock(); }
  ~LockGuard() TENON_RELEASE() {
    if (held_) mutex_.unlock();
  }
  LockGuard(const LockGuard&) = delete;
  LockGuard& operator=(const LockGuard&) = delete;

  void unlock() noexcept TENON_RELEASE() {
    held_ = false;
    mutex_.unlock();
  }
  void lock() noexcept TENON_ACQUIRE() {
    mutex_.lock();
    held_ = true;
  }

 private:
  Mutex& mutex_;
  bool held_ = true;
};

/// The mutex is held when a wait begins and when it returns. Spurious wake-ups happen: wait in a loop over the condition.
class CondVar {
 public:
  CondVar() noexcept {
    pthread_condattr_t attributes;
    ::pthread_condattr_init(&attributes);
    ::pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    ::pthread_cond_init(&handle_, &attributes);
    ::pthread_condattr_destroy(&attributes);
  }
  CondVar(const CondVar&) = delete;
  CondVar& operator=(const CondVar&) = delete;
  ~CondVar() { ::pthread_cond_destroy(&handle_); }

  void wait(Mutex& mutex) noexcept TENON_REQUIRES(mutex) { ::pthread_cond_wait(&handle_, &mutex.handle_); }
  /// False once the deadline has passed.
  bool wait_until(Mutex& mutex, Deadline deadline) noexcept TENON_REQUIRES(mutex) {
    if (deadline.is_never()) {
      wait(mutex);
      return true;
    }
    timespec until{};
    until.tv_sec = whole_seconds<time_t>(deadline.ns());
    until.tv_nsec = static_cast<long>(deadline.ns() % 1'000'000'000);
    return ::pthread_cond_timedwait(&handle_, &mutex.handle_, &until) == 0;
  }
  void notify_one() noexcept { ::pthread_cond_signal(&handle_); }
  void notify_all() noexcept { ::pthread_cond_broadcast(&handle_); }

 private:
  pthread_cond_t handle_;
};

}  // namespace tenon
