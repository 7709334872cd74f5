// SPDX-License-Identifier: Apache-2.0
#include "orb/server/polled_lanes.hpp"

namespace tenon::orb {

void PolledLanes::reserve(std::uint32_t count) {
  const LockGuard lock(mutex_);
  free_.reserve(count);
  while (used_ < count && used_ < Places::capacity) {
    static_cast<void>(places_.grow(used_, memory_));
    free_.push_back(used_++);
  }
}

PolledLanes::Token PolledLanes::add(Ref<Lane> lane) {
  const LockGuard lock(mutex_);
  std::uint32_t index = used_;
  Place* place = nullptr;
  if (!free_.empty()) {
    index = free_.back();
    free_.pop_back();
    place = places_.at(index);
  } else {
    if (used_ == Places::capacity) return 0;
    place = places_.grow(index, memory_);
    if (place == nullptr) return 0;
    ++used_;
  }
  place->lane = std::move(lane);
  const std::uint64_t generation = (generation_of(place->state.load(std::memory_order_relaxed)) + 1) | 1;
  place->state.store(generation << 32 | idle, std::memory_order_release);
  return generation << 32 | index;
}

Lane* PolledLanes::claim(Token token, bool hung_up) noexcept {
  Place* place = places_.at(index_of(token));
  if (place == nullptr) return nullptr;
  std::uint64_t word = place->state.load(std::memory_order_acquire);
  while (generation_of(word) == generation_of(token)) {
    const std::uint64_t state = word & 3;
    const std::uint64_t wanted = hung_up || state == ending ? ending : state == idle ? reading : signalled;
    if (state == wanted) return nullptr;
    const std::uint64_t next = (word & ~std::uint64_t{3}) | wanted;
    if (place->state.compare_exchange_weak(word, next, std::memory_order_acq_rel,
                                           std::memory_order_acquire)) {
      return state == idle ? place->lane.get() : nullptr;
    }
  }
  return nullptr;
}

bool PolledLanes::release(Token token) noexcept {
  Place& place = *places_.at(index_of(token));
  std::uint64_t word = generation_of(token) << 32 | reading;
  if (place.state.compare_exchange_strong(word, generation_of(token) << 32 | idle, std::memory_order_acq_rel))
    return true;
  // A report of the peer's end that comes just now must not be overwritten, hence compare and exchange.
  word = generation_of(token) << 32 | signalled;
  place.state.compare_exchange_strong(word, generation_of(token) << 32 | reading, std::memory_order_acq_rel);
  return false;
}

void PolledLanes::remove(Token token) {
  Place& place = *places_.at(index_of(token));
  Ref<Lane> gone = std::move(place.lane);
  place.state.store((generation_of(token) + 1) << 32, std::memory_order_release);
  const LockGuard lock(mutex_);
  free_.push_back(index_of(token));
}

}  // namespace tenon::orb
