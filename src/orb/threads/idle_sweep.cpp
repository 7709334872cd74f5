// SPDX-License-Identifier: Apache-2.0
#include "orb/threads/idle_sweep.hpp"

#include <algorithm>

#include "orb/orb.hpp"

namespace tenon::orb {

namespace {

/// A quarter of the shorter limit, so that connections stay open for at most a quarter longer; but not so short that sweeps never pause.
std::int64_t period_of(const Options& options) noexcept {
  std::uint32_t shortest = options.client_idle_ms;
  if (options.server_idle_ms != 0 && (shortest == 0 || options.server_idle_ms < shortest))
    shortest = options.server_idle_ms;
  return std::clamp<std::int64_t>(shortest / 4, 10, 60'000);
}

}  // namespace

IdleSweep::IdleSweep(Orb& orb, Attendant& attendant) noexcept
    : orb_(orb), attendant_(attendant), period_ms_(period_of(orb.options())) {}

void IdleSweep::start() {
  attendant_.remind(Ref<Timed>(this), Deadline::after_ms(static_cast<std::uint32_t>(period_ms_)));
}

/// Closing takes time, so it is left to a worker: the thread that keeps time must not wait.
void IdleSweep::expired() noexcept {
  attendant_.run([sweep = Ref<IdleSweep>(this)] {
    if (sweep->orb_.is_shut_down()) return;
    sweep->orb_.close_idle_connections();
    sweep->start();
  });
}

}  // namespace tenon::orb
