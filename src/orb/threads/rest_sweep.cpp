// SPDX-License-Identifier: Apache-2.0
#include "orb/threads/rest_sweep.hpp"

#include "orb/orb.hpp"

namespace tenon::orb {

namespace {

/// A connection rests when it has not been read for this time to twice this time.
constexpr std::int64_t sweep_every_ns = 125'000'000;

}  // namespace

void RestSweep::used() noexcept {
  if (due_.exchange(true)) return;
  const Deadline next = Deadline::after_ns(sweep_every_ns);
  due_at_.store(next.ns());
  if (Attendant* const attendant = orb_.attendant()) return attendant->remind(Ref<Timed>(this), next);
  due_.store(false);
}

void RestSweep::expired() noexcept {
  const LockGuard lock(mutex_);
  if (stopped_ || orb_.is_shut_down()) return;
  sweep(orb_.attendant());
}

void RestSweep::stop() noexcept {
  const LockGuard lock(mutex_);
  stopped_ = true;
}

void RestSweep::in_time() noexcept {
  std::int64_t due_at = due_at_.load(std::memory_order_relaxed);
  if (!due_.load(std::memory_order_relaxed) || steady_now() - due_at < sweep_every_ns) return;
  // One thread sweeps; others that come at the same time do not wait.
  if (due_at_.compare_exchange_strong(due_at, steady_now() + sweep_every_ns))
    (void)orb_.rest_connections(nullptr, true);
}

void RestSweep::sweep(Attendant* attendant) noexcept {
  // After an overdue sweep it is not known when a connection was last used.
  const bool late = steady_now() - due_at_.load() > sweep_every_ns;
  due_.store(false);  // before the sweep, which may be past a connection when that is used again
  if (orb_.rest_connections(attendant, late)) used();
}

}  // namespace tenon::orb
