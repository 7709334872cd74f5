// SPDX-License-Identifier: Apache-2.0
#include "orb/threads/timekeeper.hpp"

#include <sys/timerfd.h>
#include <unistd.h>

#include <utility>

#include "orb/orb.hpp"

namespace tenon::orb {

bool Timekeeper::start() {
  timer_.reset(::timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC));
  return timer_ && reactor_.watch(timer_.get(), clock_, net::Watch::level) == 0;
}

void Timekeeper::set_clock(std::int64_t when) noexcept {
  if (clock_set_ != 0 && clock_set_ <= when) return;  // a look too early does no harm
  clock_set_ = when;
  itimerspec next{};
  next.it_value.tv_sec = whole_seconds<time_t>(when);
  next.it_value.tv_nsec = static_cast<long>(when % 1'000'000'000) + 1;  // 0 would switch it off
  (void)::timerfd_settime(timer_.get(), TFD_TIMER_ABSTIME, &next, nullptr);
}

void Timekeeper::remind(Ref<Timed> who, Deadline when) {
  const LockGuard lock(mutex_);
  if (stopped_) return;
  (void)reminders_.add(std::move(who), when);
  set_clock(when.ns());
}

void Timekeeper::forget(Timed& who) noexcept {
  Ref<Timed> gone;  // declared before the lock: destroyed after it
  const LockGuard lock(mutex_);
  gone = reminders_.remove(who);
}

/// Costs a look at the clock if no time has come. It is needed because a thread that did something else has not seen the timer.
void Timekeeper::keep_time() noexcept {
  const std::int64_t when = clock_set_.load(std::memory_order_relaxed);
  if (when == 0 || !Deadline::at(when).expired() || !reactor_.serves_here()) return;
  const NestedWait place(reactor_);
  if (place.here()) tell_those_due();
}

void Timekeeper::tell_those_due() {
  std::uint64_t times = 0;
  (void)!::read(timer_.get(), &times, sizeof times);
  bool any = false;
  while (const Ref<Timed> due = take_due()) {
    due->expired();
    any = true;
  }
  if (any) told_some();
}

/// Null: no reminder is due, and the timer is set to when the first one will be.
Ref<Timekeeper::Timed> Timekeeper::take_due() {
  const LockGuard lock(mutex_);
  clock_set_ = 0;
  Ref<Timed> due = reminders_.take_due();
  if (const Deadline next = reminders_.next(); !due && !next.is_never()) set_clock(next.ns());
  return due;
}

void Timekeeper::stop() noexcept {
  Timed* untold = nullptr;
  {
    const LockGuard lock(mutex_);
    stopped_ = true;
    untold = reminders_.take_all();
  }
  Reminders::drop(untold);
}

void Timekeeper::close() noexcept {
  const LockGuard lock(mutex_);
  timer_.reset();
}

std::unique_ptr<Attendant> make_timekeeper(Orb& orb) { return std::make_unique<Timekeeper>(*orb.reactor()); }

}  // namespace tenon::orb
