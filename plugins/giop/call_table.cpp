// SPDX-License-Identifier: Apache-2.0
#include "call_table.hpp"

#include <utility>

namespace tenon::giop {

CallTable::CallTable(protocol::Connection& connection, Side side, bool served,
                     protocol::ConnectionClock* clock) noexcept
    : connection_(connection), clock_(clock), served_(served), now_(served ? reading : 0), ids_(side) {}

// --- a call ---

CallTable::Added CallTable::add(Call& call, protocol::Sink* sink) {
  const LockGuard lock(mutex_);
  if (ended_) return Added::ended;
  if (!count_in(call)) return Added::taken;
  call.request_id =
      ids_.next_unless([this](std::uint32_t id) TENON_NO_THREAD_SAFETY_ANALYSIS {  // with the lock
        // This call is counted already. If there is another one, that may be the one that is alone.
        return find(id) != nullptr || (in_flight() > 1 && alone_id_.load(std::memory_order_relaxed) == id);
      });
  call.sharing->sink = sink;
  enter(call);
  return Added::yes;
}

void CallTable::enter(Call& call) noexcept {
  Call*& bucket = buckets_[(call.request_id >> 1) % buckets_.size()];
  call.sharing->next = bucket;
  bucket = &call;
}

void CallTable::join(Call& call) noexcept {
  const LockGuard lock(mutex_);
  if (ended_) return;  // it cannot be sent any more
  enter(call);
  call.alone = false;
  call.reads = false;
  pass_reading_on();
}

/// From here on no other call begins alone; one that is alone already sees it before it is sent, or else when it ends. False: there are
/// others, and the call wants none.
bool CallTable::count_in(Call& call) noexcept {
  std::uint32_t now = now_.load(std::memory_order_relaxed);
  do {
    if (!call.out().may_share && (now & counted) != 0) return false;
  } while (!now_.compare_exchange_weak(now, now + 1, std::memory_order_acq_rel, std::memory_order_relaxed));
  if ((now & counted) == 0) unanswered_since_.store(steady_now(), std::memory_order_relaxed);
  return true;
}

void CallTable::end(Call& call) noexcept {
  const LockGuard lock(mutex_);
  if (!call.alone) forget(call);
  now_.fetch_sub(1, std::memory_order_release);
  if (call.reads) {
    call.reads = false;
    pass_reading_on();
  }
}

void CallTable::forget(Call& call) noexcept {
  Call** at = &buckets_[(call.request_id >> 1) % buckets_.size()];
  while (*at != &call) at = &(*at)->sharing->next;
  *at = call.sharing->next;
}

Call* CallTable::find(std::uint32_t id) noexcept {
  Call* call = buckets_[(id >> 1) % buckets_.size()];
  while (call != nullptr && call->request_id != id) call = call->sharing->next;
  return call;
}

CallTable::Waited CallTable::wait(Call& call, Deadline deadline, std::int64_t late_after_ns) {
  CondVar woken;
  Sharing& sharing = *call.sharing;
  const LockGuard lock(mutex_);
  if (sharing.step != Step::done) {
    sharing.step = Step::waiting;
    if (!is_read()) {
      now_.fetch_or(reading, std::memory_order_relaxed);
      call.reads = true;
    }
  }
  sharing.waiter = &woken;
  bool in_time = true;
  while (in_time && sharing.step != Step::done && !call.reads) in_time = woken.wait_until(mutex_, deadline);
  sharing.waiter = nullptr;
  if (sharing.step == Step::done) {
    if (call.out().failure) call.out().completed = call.out().failure.completed;
    return Waited::done;
  }
  if (call.reads) return Waited::reads;
  sharing.step = Step::done;  // deliver() will find that no call waits for the reply
  abandon_one(late_after_ns);
  return Waited::timed_out;
}

void CallTable::give_up(std::int64_t late_after_ns) noexcept {
  const LockGuard lock(mutex_);
  abandon_one(late_after_ns);
}

void CallTable::attend_to_late_replies() noexcept {
  const LockGuard lock(mutex_);
  if (!is_read() && find_attendant()) now_.fetch_or(reading, std::memory_order_relaxed);
}

void CallTable::abandon_one(std::int64_t late_after_ns) noexcept {
  now_.fetch_add(1, std::memory_order_relaxed);
  abandoned_.fetch_add(1, std::memory_order_relaxed);
  late_at_.store(Deadline::after_ns(late_after_ns).ns());
}

/// A reply has come that no call waits for.
void CallTable::answered_late() noexcept {
  // A peer may answer what it was never asked.
  if (abandoned_.load(std::memory_order_relaxed) == 0) return;
  if (abandoned_.fetch_sub(1, std::memory_order_relaxed) == 1) late_at_.store(Deadline::never().ns());
  now_.fetch_sub(1, std::memory_order_release);
}

// --- an asynchronous call ---
//
// It is in the table while it is being sent (preparing) and until its reply or failure is there (waiting). The thread that takes it out
// tells its sink; what happens while it is being sent waits for started().

Status CallTable::started(Call& call, Status outcome) {
  const LockGuard lock(mutex_);
  Sharing& sharing = *call.sharing;
  if (outcome && sharing.step == Step::preparing) {
    sharing.step = Step::waiting;
    ++asynchronous_;
    if (!is_read() && find_attendant()) now_.fetch_or(reading, std::memory_order_relaxed);
    return {};
  }
  forget(call);
  now_.fetch_sub(1, std::memory_order_release);
  if (!outcome) {
    call.out().completed = Completion::no;
    return outcome;
  }
  call.out().completed = call.out().failure ? call.out().failure.completed : Completion::yes;
  if (call.out().failure) return call.out().failure;
  sharing.sink->done(call.out());
  return {};
}

bool CallTable::abandon(Call& call, std::int64_t late_after_ns) noexcept {
  const LockGuard lock(mutex_);
  if (call.sharing->step != Step::waiting) return false;
  call.sharing->step = Step::done;
  forget(call);
  --asynchronous_;
  abandon_one(late_after_ns);
  now_.fetch_sub(1, std::memory_order_release);
  return true;
}

bool CallTable::stay(unsigned answered) noexcept {
  const LockGuard lock(mutex_);
  for (; answered != 0; --answered) answered_late();
  if (asynchronous_ != 0 || abandoned() != 0) return true;
  pass_reading_on();
  return false;
}

// --- the thread that reads ---

/// The right to read goes to a call that waits, else to an attendant, else to no thread.
void CallTable::pass_reading_on() noexcept {
  for (Call* call : buckets_) {
    for (; call != nullptr; call = call->sharing->next) {
      if (call->sharing->step != Step::waiting || call->sharing->waiter == nullptr) continue;
      call->reads = true;
      call->sharing->waiter->notify_one();
      return;
    }
  }
  if (!find_attendant()) now_.fetch_and(~reading, std::memory_order_release);
}

/// Passes the connection to the attendant if an asynchronous call needs that, or the reply to an abandoned request. Called by the thread
/// that has the right to read, or while no thread has it.
bool CallTable::find_attendant() noexcept {
  if (asynchronous_ == 0) return abandoned() != 0 && clock_ != nullptr && clock_->attend(connection_);
  for (Call* call : buckets_) {
    for (; call != nullptr; call = call->sharing->next) {
      if (call->sharing->sink == nullptr || call->sharing->step != Step::waiting) continue;
      call->sharing->sink->attend(connection_);
      return true;
    }
  }
  return false;
}

void CallTable::fail(const Error& why) noexcept {
  const LockGuard lock(mutex_);
  ended_ = true;
  for (Call* each : buckets_) {
    while (each != nullptr) {
      Call& call = *std::exchange(each, each->sharing->next);
      if (call.sharing->step == Step::done || call.reads) continue;
      // A call that is not sent yet learns that from its own send.
      call.out().failure = why;
      conclude(call);
    }
  }
}

/// The call has its reply or its failure: the thread that waits for it, or its sink, is told.
void CallTable::conclude(Call& call) noexcept {
  Sharing& sharing = *call.sharing;
  unanswered_since_.store(steady_now(), std::memory_order_relaxed);
  const bool started = std::exchange(sharing.step, Step::done) == Step::waiting;
  if (sharing.waiter != nullptr) sharing.waiter->notify_one();
  // An asynchronous call that is still being sent learns it in started().
  if (sharing.sink == nullptr || !started) return;
  call.out().completed = call.out().failure ? call.out().failure.completed : Completion::yes;
  forget(call);
  --asynchronous_;
  now_.fetch_sub(1, std::memory_order_release);
  sharing.sink->done(call.out());
}

// --- closing and resting ---

bool CallTable::hold_if_idle() noexcept {
  const LockGuard lock(mutex_);
  const std::uint32_t who_reads = served_ ? reading : 0;
  std::uint32_t none = now_.load() & (who_reads | rests);
  return (none & reading) == who_reads && now_.compare_exchange_strong(none, reading | 1);
}

void CallTable::let_go() noexcept {
  const LockGuard lock(mutex_);
  now_.fetch_sub(1, std::memory_order_release);
  if (!served_) pass_reading_on();
}

bool CallTable::rest(bool late) noexcept {
  // Calls with a reply read, oneways do not; one that has been begun and not been sent yet may count as either.
  const std::uint32_t asked = ids_.count() - oneways_.load(std::memory_order_relaxed);
  const bool asked_since = asked_before_.exchange(asked, std::memory_order_relaxed) != asked;
  if (asked_since && !late) return false;
  std::uint32_t now = now_.load(std::memory_order_relaxed);
  do {
    if ((now & reading) != 0) return false;
    if ((now & rests) != 0) return true;
  } while (!now_.compare_exchange_weak(now, now | rests, std::memory_order_relaxed));
  return true;
}

bool CallTable::begin_look() noexcept {
  const LockGuard lock(mutex_);
  std::uint32_t now = now_.load(std::memory_order_relaxed);
  std::uint32_t then = 0;
  do {
    if ((now & rests) == 0) return false;
    then = now & ~rests;
    if ((now & reading) == 0) then = (then + 1) | reading;
  } while (!now_.compare_exchange_weak(now, then, std::memory_order_acq_rel, std::memory_order_relaxed));
  return (now & reading) == 0;
}

void CallTable::end_look() noexcept {
  const LockGuard lock(mutex_);
  now_.fetch_sub(1, std::memory_order_release);
  pass_reading_on();
}

}  // namespace tenon::giop
