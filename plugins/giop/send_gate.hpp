// SPDX-License-Identifier: Apache-2.0
//
// The lock that a thread holds while it sends one message. Taking and leaving it is one atomic step each as long as no other thread
// wants it; threads that must wait for it sleep, until their deadline if they have one. Any thread.
//
// The thread that leaves it says whether messages are buffered. If so, try_lock() fails afterwards: no message can overtake them.
// std::lock_guard fits only where no message gets buffered, since unlock() says that there is none.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>

#include "base/clock.hpp"
#include "base/thread_annotations.hpp"

namespace tenon::giop {

class SendGate {
 public:
  SendGate() = default;
  SendGate(const SendGate&) = delete;
  SendGate& operator=(const SendGate&) = delete;

  bool try_lock() noexcept {
    State free = State::free;
    return state_.compare_exchange_strong(free, State::held, std::memory_order_acquire,
                                          std::memory_order_relaxed);
  }
  /// Succeeds also when messages are buffered; these must then be sent first.
  bool try_lock_any() noexcept {
    State buffered = State::buffered;
    return state_.compare_exchange_strong(buffered, State::held, std::memory_order_acquire,
                                          std::memory_order_relaxed) ||
           try_lock();
  }
  void lock() noexcept {
    if (!try_lock()) [[unlikely]]
      (void)wait(Deadline::never());
  }
  /// As try_lock_any(), but waits. False: the deadline went by.
  bool lock_by(Deadline deadline) noexcept { return try_lock_any() || wait(deadline); }

  void unlock() noexcept {
    if (state_.exchange(State::free, std::memory_order_release) == State::wanted) [[unlikely]]
      wake();
  }
  /// As unlock(), when messages are buffered.
  void unlock_buffered() noexcept {
    if (state_.exchange(State::buffered, std::memory_order_release) == State::wanted) wake();
  }

 private:
  enum class State : std::uint8_t {
    free,
    buffered,  ///< free, but messages that are buffered go first
    held,
    wanted,  ///< held, and another thread may be asleep
  };
  static bool is_open(State state) noexcept { return state <= State::buffered; }

  /// A thread that gets the gate here leaves the state at `wanted`, since other threads may still sleep.
  [[gnu::noinline]] bool wait(Deadline deadline) noexcept {
    const LockGuard lock(mutex_);
    bool in_time = true;
    // wake() may have chosen this thread just before its time ran out, so it looks once more.
    while (!is_open(state_.exchange(State::wanted, std::memory_order_acquire))) {
      if (!in_time) return false;
      in_time = left_.wait_until(mutex_, deadline);
    }
    return true;
  }
  [[gnu::noinline]] void wake() noexcept {
    const LockGuard lock(mutex_);
    left_.notify_one();
  }

  std::atomic<State> state_{State::free};
  Mutex mutex_;
  CondVar left_;
};

}  // namespace tenon::giop
