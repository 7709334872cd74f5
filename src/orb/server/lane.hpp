// SPDX-License-Identifier: Apache-2.0
//
// A lane is a connection that a server serves, with what keeps its requests in order: a request for an object starts after an earlier
// oneway to the same object, over the same connection, has returned. Requests for other objects run freely.
// Threads: everything from any thread.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

#include "base/memory.hpp"
#include "base/ref.hpp"
#include "base/thread_annotations.hpp"
#include "protocol/messaging.hpp"

namespace tenon::orb {

class Lane : public RefCounted, public memory::Of<memory::Kind::connections> {
 public:
  /// `ordered`: it keeps requests in order at all (MessagingOptions::order_after_oneway).
  Lane(Ref<protocol::Connection> connection, bool ordered)
      : connection_(std::move(connection)), ordered_(ordered) {}

  protocol::Connection& connection() const noexcept { return *connection_; }

  /// No oneway is running apart from the thread that reads: the usual case, one load.
  bool unordered() const noexcept { return running_.load(std::memory_order_acquire) == 0; }
  /// Later requests to the same object wait until this one has returned.
  bool orders_after(const protocol::IncomingCall& call) const noexcept {
    return ordered_ && !call.response_expected;
  }

  /// Before another thread may read: takes note of the oneway that is about to run or runs. Pair with next(). False: there is no memory for
  /// that, and no other thread may read until it has returned.
  [[nodiscard]] bool keep_order(const protocol::IncomingCall& call) TENON_EXCLUDES(mutex_);
  enum class Queued : std::uint8_t {
    no,  ///< no oneway to the same object runs: the call may run now
    yes,
    full,       ///< yes, and the connection must not be read until readable_again()
    no_memory,  ///< it must not run yet, and there is none to keep it in: it is to be refused
  };
  /// Puts the call behind the oneway to the same object that runs.
  Queued queue_behind(protocol::IncomingCall& call) TENON_EXCLUDES(mutex_);
  /// As queue_behind(), for a thread that reads only this connection: it waits while the queue is full.
  Queued wait_and_queue_behind(protocol::IncomingCall& call) TENON_EXCLUDES(mutex_);
  /// One of the queues is full.
  bool full() TENON_EXCLUDES(mutex_);
  /// True once after Queued::full, when no queue is full any more: the caller then has the right to read.
  bool readable_again() TENON_EXCLUDES(mutex_);
  /// The oneway (or a call queued behind it) has returned: the next one to run, or null when none waits.
  std::unique_ptr<protocol::IncomingCall> next(ByteView key) TENON_EXCLUDES(mutex_);
  /// Takes the next cancelled call out of the queues; null: there is none.
  std::unique_ptr<protocol::IncomingCall> take_cancelled() TENON_EXCLUDES(mutex_);

  std::optional<int> descriptor() const noexcept { return connection_->transport().poll_descriptor(); }

  /// Its place among the lanes of its server, which guards it; not_there: it is none of them.
  static constexpr std::size_t not_there = SIZE_MAX;
  std::size_t place = not_there;

  // --- in a pool (PoolServer) ---
  /// The place of this connection (PolledLanes); 0: it is not polled. Set once, before it is.
  std::uint64_t token = 0;
  /// A thread may stay with this connection. Set once, before it is polled.
  bool may_stay = false;
  /// How many requests have come one right after the other, less what speaks against staying. For the thread that has the right to read.
  unsigned heat = 0;
  std::int64_t last_request_ns = 0;
  /// Behind this one among those that have more input; guarded by the pool.
  Ref<Lane> next_ready;

 private:
  static constexpr std::size_t most_queued = 1000;

  /// A oneway that runs, and the calls to the same object that wait for its end, linked by next_queued. The key lies behind it.
  struct Ordered : memory::Of<memory::Kind::requests> {
    explicit Ordered(std::size_t octets) noexcept : key_octets(octets) {}
    ~Ordered();

    ByteView key() noexcept { return {reinterpret_cast<const std::uint8_t*>(this + 1), key_octets}; }
    /// Takes out the call that this points to.
    std::unique_ptr<protocol::IncomingCall> take(protocol::IncomingCall** at) noexcept;

    const std::size_t key_octets;
    protocol::IncomingCall* first = nullptr;
    protocol::IncomingCall** end = &first;
    std::size_t size = 0;
    std::unique_ptr<Ordered> next;
  };
  Ordered* find(ByteView key) noexcept TENON_REQUIRES(mutex_);
  bool any_full() const noexcept TENON_REQUIRES(mutex_);
  static bool put(Ordered& ordered, protocol::IncomingCall& call);

  const Ref<protocol::Connection> connection_;
  const bool ordered_;
  std::atomic<unsigned> running_{0};
  std::atomic<bool> unreadable_{false};  // after Queued::full; changes with the mutex
  Mutex mutex_;
  CondVar shorter_;
  std::unique_ptr<Ordered> keys_ TENON_GUARDED_BY(mutex_);  // the newest first
};

}  // namespace tenon::orb
