// SPDX-License-Identifier: Apache-2.0
#include "orb/rest_sweep.hpp"

#include <new>

#include "orb/orb.hpp"

namespace tenon::orb {

namespace {

/// A connection rests when nobody has read it for so long to twice as long.
constexpr std::int64_t sweep_every_ns = 125'000'000;

}  // namespace

void RestSweep::used() noexcept {
  if (due_.exchange(true)) return;
  try {
    const Deadline next = Deadline::after_ns(sweep_every_ns);
    due_at_.store(next.ns());
    if (Attendant* const attendant = orb_.attendant()) return attendant->remind(Ref<Timed>(this), next);
  } catch (const std::bad_alloc&) {
    // The next that is used tries again.
  }
  due_.store(false);
}

void RestSweep::expired() noexcept {
  const std::lock_guard lock(mutex_);
  if (stopped_ || orb_.is_shut_down()) return;
  sweep(orb_.attendant());
}

void RestSweep::stop() noexcept {
  const std::lock_guard lock(mutex_);
  stopped_ = true;
}

void RestSweep::in_time() noexcept {
  std::int64_t due_at = due_at_.load(std::memory_order_relaxed);
  if (!due_.load(std::memory_order_relaxed) || steady_now() - due_at < sweep_every_ns) return;
  // By one thread; those that come at the same time have just as much right to go on.
  if (due_at_.compare_exchange_strong(due_at, steady_now() + sweep_every_ns))
    (void)orb_.rest_connections(nullptr, true);
}

void RestSweep::sweep(Attendant* attendant) noexcept {
  // What was to be swept long ago may have been used at any time since.
  const bool late = steady_now() - due_at_.load() > sweep_every_ns;
  due_.store(false);  // first: what is used from now on may have been passed already
  if (orb_.rest_connections(attendant, late)) used();
}

}  // namespace tenon::orb
