// SPDX-License-Identifier: Apache-2.0
#include "orb/threads/idle_sweep.hpp"

#include <algorithm>

#include "orb/orb.hpp"

namespace tenon::orb {

namespace {

/// Connections live on for at most a quarter longer than they may, and no sweep comes at once after the other.
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

/// Closing takes its time, which the thread that tells the time does not have.
void IdleSweep::expired() noexcept {
  attendant_.run([sweep = Ref<IdleSweep>(this)] {
    if (sweep->orb_.is_shut_down()) return;
    sweep->orb_.close_idle_connections();
    sweep->start();
  });
}

}  // namespace tenon::orb
