// SPDX-License-Identifier: Apache-2.0
//
// Objects that are to be told when a point in time has come, the earliest first. A pairing heap of links that the objects have
// themselves: adding takes a constant time, and nothing is allocated.
// Threads: none of its own; its owner has a lock. What remove() and take_due() return may hold a connection: the owner drops it without
// the lock.
#pragma once

#include <cstdint>

#include "base/clock.hpp"
#include "base/memory.hpp"
#include "base/ref.hpp"

namespace tenon::orb {

/// Is told when a point in time has come, on the thread that reads connections: must not wait. It waits for one at a time.
class Timed : public RefCounted, public memory::Of<memory::Kind::requests> {
 public:
  virtual void expired() noexcept = 0;

 private:
  friend class Reminders;
  std::int64_t when_ = 0;
  Timed* child_ = nullptr;
  Timed* next_ = nullptr;    // of the same parent
  Timed* before_ = nullptr;  // of the same parent; of the first child: the parent
};

class Reminders {
 public:
  Reminders() noexcept = default;
  ~Reminders() { drop(take_all()); }
  Reminders(const Reminders&) = delete;
  Reminders& operator=(const Reminders&) = delete;

  /// `who` is in none. True: it is the first one now.
  bool add(Ref<Timed> who, Deadline when) noexcept;
  /// Null: it is not there.
  Ref<Timed> remove(Timed& who) noexcept;
  /// Null: the first one's time has not come.
  Ref<Timed> take_due() noexcept;
  /// When the first one's time comes.
  Deadline next() const noexcept {
    return first_ != nullptr ? Deadline::at(first_->when_) : Deadline::never();
  }

  /// All that are there, for drop(), which may be called without the lock.
  Timed* take_all() noexcept;
  static void drop(Timed* taken) noexcept;

 private:
  Ref<Timed> take(Timed& who) noexcept;
  static Timed* one_of(Timed* a, Timed* b) noexcept;
  static Timed* one_of_children(Timed& parent) noexcept;

  Timed* first_ = nullptr;
};

}  // namespace tenon::orb
