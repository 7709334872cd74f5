// SPDX-License-Identifier: Apache-2.0
#include "poa/turn.hpp"

namespace tenon::poa {

bool Turn::try_take() noexcept {
  LockGuard lock(mutex_);
  if (depth_ != 0 && !mine()) return false;
  owner_ = std::this_thread::get_id();
  ++depth_;
  return true;
}

bool Turn::take(Deadline until) noexcept {
  LockGuard lock(mutex_);
  while (depth_ != 0 && !mine()) {
    // Only one thread is told that the turn is free, so it takes the turn even if it is late.
    if (!given_.wait_until(mutex_, until) && depth_ != 0 && !mine()) return false;
  }
  owner_ = std::this_thread::get_id();
  ++depth_;
  return true;
}

void Turn::hand_out(FunctionRef<void(Slot&)> see_to) noexcept {
  while (first_ != 0) {
    Slot& slot = *slots_->at(first_ - 1);
    first_ = slot.next;
    if (first_ == 0) last_ = 0;
    mutex_.unlock();
    see_to(slot);
    mutex_.lock();
  }
}

void Turn::see_to_due(FunctionRef<void(Slot&)> see_to) noexcept {
  LockGuard lock(mutex_);
  hand_out(see_to);
}

void Turn::give(FunctionRef<void(Slot&)> see_to) noexcept {
  LockGuard lock(mutex_);
  if (depth_ == 1) hand_out(see_to);
  if (--depth_ != 0) return;
  owner_ = {};
  given_.notify_one();
}

bool Turn::leave(Slot& slot, const SlotArray& slots) noexcept {
  LockGuard lock(mutex_);
  slots_ = &slots;
  slot.next = 0;
  if (last_ != 0) {
    slots.at(last_ - 1)->next = slot.index + 1;
  } else {
    first_ = slot.index + 1;
  }
  last_ = slot.index + 1;
  if (depth_ != 0) return false;
  owner_ = std::this_thread::get_id();
  depth_ = 1;
  return true;
}

}  // namespace tenon::poa
