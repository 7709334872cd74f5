// SPDX-License-Identifier: Apache-2.0
//
// The calls that this side has in flight on a connection, and which thread reads it.
//
// A call that begins while no other one is in flight is alone: it has the right to read from its beginning and takes no lock. The others
// share: they are in a table, where the thread that reads finds them. That is the thread of one of the calls that have been sent; when
// its own reply has come, it passes the right to read on to a call that waits, or to an attendant if a call is asynchronous. Where
// requests come in (accepted and bidirectional connections) the thread that serves has the right to read for good.
//
// Others may join a call that is alone. Once its request has been sent it goes on to read; before that it shares, too (join()): a peer
// that does not read while it writes replies would else wait for this call to read, and this call for the peer to make room.
//
// A request whose call has given up, out of time or cancelled, is abandoned: it counts as in flight until its reply has come, since the
// peer may be busy with it.
//
// A connection that has not been read for a while rests: the next call first looks at what has come (begin_look()).
//
// Threads: any. Sinks, waiters and ConnectionClock::attend() are told with the lock held.
#pragma once

#include <array>
#include <atomic>

#include "base/thread_annotations.hpp"
#include "call.hpp"
#include "giop/request_ids.hpp"
#include "protocol/messaging.hpp"

namespace tenon::giop {

class CallTable {
 public:
  /// `served`: requests come in, and so a thread always reads. The connection and the clock, if any, must live as long.
  CallTable(protocol::Connection& connection, Side side, bool served,
            protocol::ConnectionClock* clock) noexcept;
  CallTable(const CallTable&) = delete;
  CallTable& operator=(const CallTable&) = delete;

  // --- a call ---

  /// False: others are in flight, or the connection rests.
  bool begin_alone(Call& call) noexcept {
    std::uint32_t none = 0;
    const std::uint32_t alone = call.out().spec.response_expected ? reading | 1 : 1;
    if (!now_.compare_exchange_strong(none, alone, std::memory_order_acquire, std::memory_order_relaxed))
      return false;
    call.alone = true;
    call.reads = call.out().spec.response_expected;
    call.request_id = ids_.next();
    alone_id_.store(call.request_id, std::memory_order_relaxed);
    return true;
  }
  enum class Added : std::uint8_t {
    yes,
    taken,  ///< others are in flight, and the call may not share
    ended,  ///< fail() has been called
  };
  /// Enters a call into the table, with its sharing part, and gives it an id. A reply may come from then on, even before it is sent.
  /// `sink`: of an asynchronous call.
  Added add(Call& call, protocol::Sink* sink) TENON_EXCLUDES(mutex_);
  /// True: no other call is in flight than the one that asks, and a thread reads.
  bool only_one() const noexcept { return now_.load(std::memory_order_relaxed) == (reading | 1); }
  /// A call that began alone and has not been sent shares from now on, with its sharing part; others may read.
  void join(Call& call) noexcept TENON_EXCLUDES(mutex_);
  /// Ends a call that began alone. False: others have joined it, end() comes next.
  bool end_alone(const Call& call) noexcept {
    std::uint32_t mine = call.reads ? reading | 1 : 1;
    return now_.compare_exchange_strong(mine, 0, std::memory_order_release, std::memory_order_relaxed);
  }
  void end(Call& call) noexcept TENON_EXCLUDES(mutex_);

  /// A oneway has been sent, which reads nothing.
  void count_oneway() noexcept { oneways_.fetch_add(1, std::memory_order_relaxed); }

  enum class Waited : std::uint8_t {
    done,   ///< the reply is there, or call.out().failure
    reads,  ///< this call's thread is the one to read
    timed_out,
  };
  /// Waits for the reply to a call that shares and has been sent. A call that times out is abandoned; its reply may take that much longer.
  Waited wait(Call& call, Deadline deadline, std::int64_t late_after_ns) TENON_EXCLUDES(mutex_);
  /// Abandons a call that reads and gives up, as wait() does after a time-out.
  void give_up(std::int64_t late_after_ns) noexcept TENON_EXCLUDES(mutex_);
  /// Call this after give_up(): asks for the attendant to read the connection, if no thread reads it.
  void attend_to_late_replies() noexcept TENON_EXCLUDES(mutex_);

  // --- an asynchronous call ---

  /// The call has been sent, or could not be (`outcome`). Ok: its sink will be told of its end, or has been.
  Status started(Call& call, Status outcome) TENON_EXCLUDES(mutex_);
  /// False: its sink has been told of its end already.
  bool abandon(Call& call, std::int64_t late_after_ns) noexcept TENON_EXCLUDES(mutex_);
  /// The attendant asks whether to go on. False: the right to read has been passed on. `answered`: how many replies to abandoned
  /// requests it has passed over.
  bool stay(unsigned answered) noexcept TENON_EXCLUDES(mutex_);

  // --- the thread that reads ---

  /// The reply to a call that shares: `take` moves it into the call, with the lock held, and ends it. False: no call waits for it any more.
  template <typename Take>
  bool deliver(std::uint32_t id, Take take) TENON_EXCLUDES(mutex_) {
    const LockGuard lock(mutex_);
    Call* const call = find(id);
    if (call == nullptr || call->sharing->step == Step::done) {
      answered_late();
      return false;
    }
    take(*call);
    conclude(*call);
    return true;
  }
  /// The connection has ended: calls that wait fail with `why`, except the one that reads, which notices by itself. No call can be added.
  void fail(const Error& why) noexcept TENON_EXCLUDES(mutex_);

  // --- closing and resting ---

  /// True: no call is in flight, and from now on none will be alone or read. False: a call is in flight.
  bool hold_if_idle() noexcept TENON_EXCLUDES(mutex_);
  /// Undoes hold_if_idle().
  void let_go() noexcept TENON_EXCLUDES(mutex_);

  /// As protocol::Connection::rest().
  bool rest(bool late) noexcept;
  bool resting() const noexcept { return (now_.load(std::memory_order_relaxed) & rests) != 0; }
  /// Ends the rest. True: this thread must read, and then call end_look().
  bool begin_look() noexcept TENON_EXCLUDES(mutex_);
  void end_look() noexcept TENON_EXCLUDES(mutex_);

  // --- hints; any thread ---

  unsigned in_flight() const noexcept { return now_.load(std::memory_order_relaxed) & counted; }
  unsigned abandoned() const noexcept { return abandoned_.load(std::memory_order_relaxed); }
  /// When the replies to all abandoned requests must have come.
  Deadline late_by() const noexcept { return Deadline::at(late_at_.load()); }
  std::int64_t unanswered_since() const noexcept { return unanswered_since_.load(std::memory_order_relaxed); }

 private:
  using Step = Call::Step;
  using Sharing = Call::Sharing;
  bool count_in(Call& call) noexcept TENON_REQUIRES(mutex_);
  void enter(Call& call) noexcept TENON_REQUIRES(mutex_);
  void forget(Call& call) noexcept TENON_REQUIRES(mutex_);
  void conclude(Call& call) noexcept TENON_REQUIRES(mutex_);  // it may be gone afterwards
  Call* find(std::uint32_t id) noexcept TENON_REQUIRES(mutex_);
  void pass_reading_on() noexcept TENON_REQUIRES(mutex_);
  bool find_attendant() noexcept TENON_REQUIRES(mutex_);
  void abandon_one(std::int64_t late_after_ns) noexcept TENON_REQUIRES(mutex_);
  void answered_late() noexcept TENON_REQUIRES(mutex_);
  bool is_read() const noexcept { return (now_.load(std::memory_order_relaxed) & reading) != 0; }

  protocol::Connection& connection_;
  protocol::ConnectionClock* const clock_;
  const bool served_;

  /// Calls in flight, and in the highest bit whether a thread reads. A call that is alone changes both in one step, at its beginning and
  /// at its end; all others change them under mutex_, and the bit only while counted. The bit below says that the connection rests: no
  /// call is alone then, until one has looked.
  static constexpr std::uint32_t reading = 1u << 31;
  static constexpr std::uint32_t rests = 1u << 30;
  static constexpr std::uint32_t counted = rests - 1;
  std::atomic<std::uint32_t> now_;
  RequestIds ids_;
  std::atomic<std::uint32_t> alone_id_{0};  // of the call that is, or was, alone
  std::atomic<std::uint32_t> oneways_{0};
  std::atomic<std::uint32_t> asked_before_{0};  // calls with a reply, when rest() was called last
  std::atomic<std::int64_t> unanswered_since_{0};
  std::atomic<std::uint32_t> abandoned_{0};                    // changed under mutex_
  std::atomic<std::int64_t> late_at_{Deadline::never().ns()};  // changed under mutex_

  Mutex mutex_;
  std::array<Call*, 16> buckets_ TENON_GUARDED_BY(mutex_){};  // those that share, by request id
  std::uint32_t asynchronous_ TENON_GUARDED_BY(mutex_) = 0;   // of them, those that have been sent
  bool ended_ TENON_GUARDED_BY(mutex_) = false;
};

}  // namespace tenon::giop
