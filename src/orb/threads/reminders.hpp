// SPDX-License-Identifier: Apache-2.0
//
// Objects that are to be told when a point in time has come, in the order of time.
// Threads: none of its own; its owner has a lock. What remove() and take_due() return may hold a connection: the owner drops it without
// the lock.
#pragma once

#include <functional>
#include <set>
#include <utility>

#include "base/clock.hpp"
#include "base/memory.hpp"
#include "base/ref.hpp"

namespace tenon::orb {

/// Is told when a point in time has come, on the thread that reads connections: must not wait.
class Timed : public RefCounted, public memory::Of<memory::Kind::requests> {
 public:
  virtual void expired() noexcept = 0;
};

class Reminders {
  struct Reminder {
    std::int64_t when;
    Ref<Timed> who;
    bool operator<(const Reminder& other) const noexcept {
      return when != other.when ? when < other.when : who.get() < other.who.get();
    }
  };
  using Set = std::set<Reminder, std::less<>, memory::Allocator<Reminder, memory::Kind::requests>>;

 public:
  /// True: it is the first one now.
  bool add(Ref<Timed> who, Deadline when) {
    const auto place = set_.insert({when.ns(), std::move(who)}).first;
    return place == set_.begin();
  }
  /// Null: it is not there.
  Ref<Timed> remove(const Timed& who, Deadline when) noexcept {
    auto at = set_.lower_bound({when.ns(), nullptr});
    while (at != set_.end() && at->when == when.ns() && at->who.get() != &who) ++at;
    return at == set_.end() || at->when != when.ns() ? nullptr : take(at);
  }
  /// Null: the first one's time has not come.
  Ref<Timed> take_due() noexcept { return next().expired() ? take(set_.begin()) : nullptr; }
  /// When the first one's time comes.
  Deadline next() const noexcept {
    return set_.empty() ? Deadline::never() : Deadline::at(set_.begin()->when);
  }

 private:
  Ref<Timed> take(Set::const_iterator at) noexcept { return std::move(set_.extract(at).value().who); }

  Set set_;
};

}  // namespace tenon::orb
