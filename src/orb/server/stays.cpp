// SPDX-License-Identifier: Apache-2.0
#include "orb/server/stays.hpp"

namespace tenon::orb {

Stay* Stays::begin(Lane& lane) noexcept {
  for (unsigned i = 0; i < most_; ++i) {
    Stay& stay = stays_[i];
    std::uint64_t free = Stay::none;
    if (!stay.word_.compare_exchange_strong(free, Stay::between, std::memory_order_acq_rel)) continue;
    stay.lane_.store(&lane, std::memory_order_relaxed);  // seen with the upcall's word
    stay.unpolled = 0;
    count_.fetch_add(1, std::memory_order_seq_cst);
    return &stay;
  }
  return nullptr;
}

void Stays::end(Stay& stay) noexcept {
  count_.fetch_sub(1, std::memory_order_seq_cst);
  stay.word_.store(Stay::none, std::memory_order_release);
}

void Stays::look(std::int64_t now, FunctionRef<void(Lane&)> lost) noexcept {
  for (unsigned i = 0; i < most_; ++i) {
    Stay& stay = stays_[i];
    std::uint64_t word = stay.word_.load(std::memory_order_acquire);
    if ((word & 3) != Stay::in_upcall || now - Stay::began(word) < long_upcall_ns) continue;
    // If the exchange below succeeds, this is the lane of that upcall, and from then on only this thread may read or end it.
    Lane* const lane = stay.lane_.load(std::memory_order_relaxed);
    if (stay.word_.compare_exchange_strong(word, Stay::lost, std::memory_order_acq_rel)) lost(*lane);
  }
}

}  // namespace tenon::orb
