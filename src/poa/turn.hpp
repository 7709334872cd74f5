// SPDX-License-Identifier: Apache-2.0
//
// One thread at a time for the code of a POA that must not overlap: upcalls of a SINGLE_THREAD_MODEL POA, and incarnations and
// etherealizations of any. The thread that has the turn may take it again (collocated calls).
//
// No thread waits to etherealize: slots that are due are left with the turn, and the thread that has it sees to them before it
// gives the turn away.
#pragma once

#include <thread>

#include "base/function_ref.hpp"
#include "base/stable_array.hpp"
#include "base/thread_annotations.hpp"
#include "poa/slot.hpp"

namespace tenon::poa {

using SlotArray = StableArray<Slot, 5, 22>;

class Turn {
 public:
  bool try_take() noexcept TENON_EXCLUDES(mutex_);
  /// False: it was not to be had before the deadline.
  bool take(Deadline until) noexcept TENON_EXCLUDES(mutex_);
  /// Undoes one take(). With the last, hands out what is due, one after the other, while the turn is still held.
  void give(FunctionRef<void(Slot&)> see_to) noexcept TENON_EXCLUDES(mutex_);

  bool is_mine() const noexcept TENON_EXCLUDES(mutex_) {
    LockGuard lock(mutex_);
    return depth_ != 0 && mine();
  }
  /// For the thread that has the turn: hands out what is due before the end.
  void see_to_due(FunctionRef<void(Slot&)> see_to) noexcept TENON_EXCLUDES(mutex_);

  /// Leaves a slot to be seen to. True: no thread had the turn; the caller has it now and must give it away.
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
