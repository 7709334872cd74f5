// SPDX-License-Identifier: Apache-2.0
//
// The life of a connection: open, draining, closing, closed, in this order. Each step is taken by exactly one thread, which learns
// from the result of the function that it must do what belongs to the step:
//
//   open -> draining    close(): requests of the peer are still running here, and are answered first
//   open, draining -> closing   nothing runs any more: that thread sends CloseConnection and then shuts the transport down
//   open, draining -> closed    lose(): that thread shuts the transport down without a word
//   closing -> closed   closed(), called by the thread that has sent CloseConnection
//
// While a connection is closing no other thread shuts its transport down, so that a peer whose request crosses CloseConnection gets it.
//
// An accepted connection whose transport begins with a handshake is not served before that is done: what the ORB puts in front of it keeps
// everybody away (src/orb/server/handshakes.cpp), or ends it by lose().
//
// Requests of the peer that run are counted in the same word, so that none begins between the last one's end and closing.
// Threads: any.
#pragma once

#include <atomic>
#include <cstdint>

namespace tenon::giop {

class LifeCycle {
 public:
  enum class Phase : std::uint8_t { open, draining, closing, closed };

  Phase phase() const noexcept { return phase_of(word_.load(std::memory_order_acquire)); }
  /// Open or draining: calls may begin, and messages may go out.
  bool usable() const noexcept { return word_.load(std::memory_order_acquire) < first_of(Phase::closing); }

  /// A request of the peer is about to run. False: it came too late, and is not to run.
  bool begin_request() noexcept {
    if (word_.fetch_add(1, std::memory_order_acquire) + 1 < first_of(Phase::closing)) [[likely]]
      return true;
    word_.fetch_sub(1, std::memory_order_relaxed);
    return false;
  }
  /// A request that runs is handed on, and so counts twice for a moment.
  void hand_request_on() noexcept { word_.fetch_add(1, std::memory_order_relaxed); }
  /// True: it was the last one of a connection that is draining, which is closing now.
  bool end_request() noexcept {
    const std::uint32_t left = word_.fetch_sub(1, std::memory_order_acq_rel) - 1;
    return left == first_of(Phase::draining) && to_closing(left);
  }

  /// True: the connection is closing. False: it will be when the last request has ended, or its end has begun already.
  bool close() noexcept {
    std::uint32_t now = word_.load(std::memory_order_relaxed);
    while (phase_of(now) == Phase::open) {
      const std::uint32_t idle = first_of(Phase::open);
      const std::uint32_t then =
          now == idle ? first_of(Phase::closing) : now - idle + first_of(Phase::draining);
      if (word_.compare_exchange_weak(now, then, std::memory_order_acq_rel, std::memory_order_relaxed))
        return now == idle;
    }
    return false;
  }
  /// As close(), but only if no request runs. False: nothing has changed.
  bool close_if_idle() noexcept { return to_closing(first_of(Phase::open)); }
  /// True: it was usable, and is closed now.
  bool lose() noexcept {
    std::uint32_t now = word_.load(std::memory_order_relaxed);
    while (now < first_of(Phase::closing)) {
      const std::uint32_t then = now - first_of(phase_of(now)) + first_of(Phase::closed);
      if (word_.compare_exchange_weak(now, then, std::memory_order_acq_rel, std::memory_order_relaxed))
        return true;
    }
    return false;
  }
  /// Called by the thread to which close(), close_if_idle() or end_request() has said that the connection is closing.
  void closed() noexcept {
    word_.fetch_add(first_of(Phase::closed) - first_of(Phase::closing), std::memory_order_acq_rel);
  }

 private:
  static constexpr unsigned phase_shift = 28;
  static constexpr std::uint32_t first_of(Phase phase) noexcept {
    return static_cast<std::uint32_t>(phase) << phase_shift;
  }
  static constexpr Phase phase_of(std::uint32_t word) noexcept {
    return static_cast<Phase>(word >> phase_shift);
  }
  bool to_closing(std::uint32_t from) noexcept {
    return word_.compare_exchange_strong(from, first_of(Phase::closing), std::memory_order_acq_rel,
                                         std::memory_order_relaxed);
  }

  std::atomic<std::uint32_t> word_{0};  // the phase, and how many requests run
};

}  // namespace tenon::giop
