// SPDX-License-Identifier: Apache-2.0
//
// Lets one thread at a time run code of a POA that must not overlap: upcalls of a SINGLE_THREAD_MODEL POA, and incarnations and
// etherealizations of any POA. The thread that has the turn may take it again (collocated calls).
//
// No thread waits to etherealize: slots that are due are left with the turn, and the thread that has it etherealizes them before it
// gives the turn back.
#pragma once

#include <thread>

#include "base/function_ref.hpp"
#include "base/thread_annotations.hpp"
#include "poa/slot.hpp"

namespace tenon::poa {

class Turn {
 public:
  bool try_take() noexcept TENON_EXCLUDES(mutex_);
  /// False: the turn did not become free before the deadline.
  bool take(Deadline until) noexcept TENON_EXCLUDES(mutex_);
  /// Undoes one take(). With the last, hands out what is due, one after the other, while the turn is still held.
  void give(FunctionRef<void(Slot&)> see_to) noexcept TENON_EXCLUDES(mutex_);

  bool is_mine() const noexcept TENON_EXCLUDES(mutex_) {
    LockGuard lock(mutex_);
    return depth_ != 0 && mine();
  }
  /// For the thread that has the turn: hands out what is due before the end.
  void see_to_due(FunctionRef<void(Slot&)> see_to) noexcept TENON_EXCLUDES(mutex_);

  /// Leaves a slot that is due with the turn. True: no thread had the turn; the caller has it now and must give it back.
  bool leave(Slot& slot, const SlotArray& slots) noexcept TENON_EXCLUDES(mutex_);

 private:
  bool mine() const noexcept TENON_REQUIRES(mutex_) { return owner_ == std::this_thread::get_id(); }
  void hand_out(FunctionRef<void(Slot&)> see_to) noexcept TENON_REQUIRES(mutex_);

  mutable Mutex mutex_;
  CondVar given_;
  std::thread::id owner_ TENON_GUARDED_BY(mutex_);
  unsigned depth_ TENON_GUARDED_BY(mutex_) = 0;
  // What is due, chained by Slot::next:
  const SlotArray* slots_ TENON_GUARDED_BY(mutex_) = nullptr;
  std::uint32_t first_ TENON_GUARDED_BY(mutex_) = 0;
  std::uint32_t last_ TENON_GUARDED_BY(mutex_) = 0;
};

}  // namespace tenon::poa
