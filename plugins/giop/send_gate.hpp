// SPDX-License-Identifier: Apache-2.0
//
// The lock that is held while one message is sent. To take it and to leave it is one atomic step each as long as nobody else wants it;
// others sleep, until a deadline if they have one. For std::unique_lock and std::lock_guard. Any thread.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>

#include "base/clock.hpp"

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
  void lock() {
    if (!try_lock()) [[unlikely]]
      (void)wait(Deadline::never());
  }
  /// False: the deadline went by.
  bool lock_by(Deadline deadline) { return try_lock() || wait(deadline); }

  void unlock() noexcept {
    if (state_.exchange(State::free, std::memory_order_release) == State::wanted) [[unlikely]]
      wake();
  }

 private:
  enum class State : std::uint8_t {
    free,
    held,
    wanted,  ///< held, and somebody may be asleep
  };

  /// Whoever comes out of here with the gate leaves `wanted` behind, since others may still sleep.
  bool wait(Deadline deadline) {
    std::unique_lock lock(mutex_);
    while (state_.exchange(State::wanted, std::memory_order_acquire) != State::free) {
      if (deadline.is_never()) {
        left_.wait(lock);
        continue;
      }
      const auto until = std::chrono::steady_clock::time_point(std::chrono::nanoseconds(deadline.ns()));
      if (left_.wait_until(lock, until) == std::cv_status::timeout) {
        // The one that was to be woken may be this one.
        return state_.exchange(State::wanted, std::memory_order_acquire) == State::free;
      }
    }
    return true;
  }
  void wake() noexcept {
    const std::lock_guard lock(mutex_);
    left_.notify_one();
  }

  std::atomic<State> state_{State::free};
  std::mutex mutex_;
  std::condition_variable left_;
};

}  // namespace tenon::giop
