// SPDX-License-Identifier: Apache-2.0
#include "orb/outgoing_limit.hpp"

namespace tenon::orb {

std::shared_ptr<void> OutgoingLimit::take() {
  unsigned taken = taken_->load(std::memory_order_relaxed);
  do {
    if (taken >= most_) return nullptr;
  } while (!taken_->compare_exchange_weak(taken, taken + 1, std::memory_order_relaxed));
  return {taken_.get(), [count = taken_](void*) { count->fetch_sub(1, std::memory_order_relaxed); }};
}

}  // namespace tenon::orb
