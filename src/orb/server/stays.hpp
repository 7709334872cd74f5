// SPDX-License-Identifier: Apache-2.0
//
// Threads of a pool that stay with a connection over which requests come one right after the other: such a thread keeps the right to
// read the connection during its upcalls and waits in the receive itself, so that a call costs no system call of the poller's.
//
// A stay must not keep later requests of its connection waiting behind a long upcall. So each upcall is marked here, and threads that poll
// look at the marks now and then: an upcall that has lasted for long loses the connection to the pool.
//
//   word   63 ........ 2   1 0
//        +---------------+-------+
//        | ns, steady    | phase |    none, between upcalls, in an upcall that began then, in an upcall that has lost the connection
//        +---------------+-------+
//
// Threads: as each function says. No locks.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

#include "base/function_ref.hpp"

namespace tenon::orb {

class Lane;

/// The stay of one thread. Only this thread uses it, apart from what Stays does.
class alignas(64) Stay {
 public:
  /// The request must have been detached, since another thread may get the connection before the upcall ends.
  void begin_upcall(std::int64_t now) noexcept {
    word_.store(static_cast<std::uint64_t>(now) << 2 | in_upcall, std::memory_order_release);
  }
  /// False: the connection belongs to other threads by now.
  bool end_upcall() noexcept {
    std::uint64_t now = word_.load(std::memory_order_acquire);
    return (now & 3) == in_upcall && word_.compare_exchange_strong(now, between, std::memory_order_acq_rel);
  }
  /// When the last upcall began, inside it.
  std::int64_t upcall_began() const noexcept { return began(word_.load(std::memory_order_relaxed)); }

  unsigned unpolled = 0;         ///< upcalls in a row at whose ends no thread polled
  std::int64_t waits_until = 0;  ///< for the next request

 private:
  friend class Stays;
  static constexpr std::uint64_t none = 0, between = 1, in_upcall = 2, lost = 3;
  static constexpr std::int64_t began(std::uint64_t word) noexcept {
    return static_cast<std::int64_t>(word >> 2);
  }

  std::atomic<std::uint64_t> word_{none};
  std::atomic<Lane*> lane_{nullptr};
};

class Stays {
 public:
  /// Upcalls that last longer lose their connection; a thread looks once in this time.
  static constexpr std::int64_t long_upcall_ns = 5'000'000;

  explicit Stays(unsigned most) : most_(most), stays_(std::make_unique<Stay[]>(most)) {}

  /// Called by the thread that has the right to read the lane. Null: no more threads may stay.
  Stay* begin(Lane& lane) noexcept;
  /// Called by its thread, not between begin_upcall() and end_upcall().
  void end(Stay& stay) noexcept;
  /// Any thread. Sequentially consistent, like the counting of begin() and end().
  bool any() const noexcept { return count_.load(std::memory_order_seq_cst) != 0; }

  /// Any thread. `lost` is called for each lane that an upcall has had for too long, and gets the right to read it.
  void look(std::int64_t now, FunctionRef<void(Lane&)> lost) noexcept;

 private:
  const unsigned most_;
  std::atomic<unsigned> count_{0};
  const std::unique_ptr<Stay[]> stays_;
};

}  // namespace tenon::orb
