// SPDX-License-Identifier: Apache-2.0
#include "orb/client/outgoing_limit.hpp"

#include "base/memory.hpp"

namespace tenon::orb {

std::shared_ptr<void> OutgoingLimit::take() {
  unsigned taken = taken_->load(std::memory_order_relaxed);
  do {
    if (taken >= most_) return nullptr;
  } while (!taken_->compare_exchange_weak(taken, taken + 1, std::memory_order_relaxed));
  return std::shared_ptr<void>(
      taken_.get(), [count = taken_](void*) { count->fetch_sub(1, std::memory_order_relaxed); },
      memory::Allocator<void*, memory::Kind::connections>());
}

bool OutgoingLimit::give_back(unsigned tried_at) noexcept {
  const LockGuard lock(giving_back_);
  if (times_given_back() != tried_at) return true;
  if (!reap() && !make_room()) return false;
  times_given_back_.fetch_add(1, std::memory_order_release);
  return true;
}

}  // namespace tenon::orb
