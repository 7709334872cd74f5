// SPDX-License-Identifier: Apache-2.0
#include "orb/threads/reminders.hpp"

#include <utility>

namespace tenon::orb {

/// The later one becomes a child of the earlier one. Both may be null, and have neither parent nor siblings.
Timed* Reminders::one_of(Timed* a, Timed* b) noexcept {
  if (a == nullptr) return b;
  if (b == nullptr) return a;
  if (b->when_ < a->when_) std::swap(a, b);
  b->next_ = a->child_;
  if (b->next_ != nullptr) b->next_->before_ = b;
  b->before_ = a;
  a->child_ = b;
  return a;
}

Timed* Reminders::one_of_children(Timed& parent) noexcept {
  // First in pairs from the front, then those from the back: this keeps the heap flat.
  Timed* left = std::exchange(parent.child_, nullptr);
  Timed* pairs = nullptr;
  while (left != nullptr) {
    Timed* const one = left;
    Timed* const other = std::exchange(one->next_, nullptr);
    one->before_ = nullptr;
    left = nullptr;
    if (other != nullptr) {
      left = std::exchange(other->next_, nullptr);
      other->before_ = nullptr;
    }
    Timed* const pair = one_of(one, other);
    pair->next_ = pairs;
    pairs = pair;
  }
  Timed* all = nullptr;
  while (pairs != nullptr) {
    Timed* const pair = pairs;
    pairs = std::exchange(pair->next_, nullptr);
    all = one_of(all, pair);
  }
  return all;
}

bool Reminders::add(Ref<Timed> who, Deadline when) noexcept {
  Timed* const added = who.detach();
  added->when_ = when.ns();
  first_ = one_of(first_, added);
  return first_ == added;
}

Ref<Timed> Reminders::take(Timed& who) noexcept {
  Timed* const children = one_of_children(who);
  Timed* const before = std::exchange(who.before_, nullptr);
  Timed* const next = std::exchange(who.next_, nullptr);
  if (before == nullptr) {
    first_ = children;
  } else {
    (before->child_ == &who ? before->child_ : before->next_) = next;
    if (next != nullptr) next->before_ = before;
    first_ = one_of(first_, children);
  }
  return Ref<Timed>::adopt(&who);
}

Ref<Timed> Reminders::remove(Timed& who) noexcept {
  return who.before_ != nullptr || first_ == &who ? take(who) : nullptr;
}

Ref<Timed> Reminders::take_due() noexcept { return next().expired() ? take(*first_) : nullptr; }

Timed* Reminders::take_all() noexcept {
  Timed* taken = nullptr;
  while (first_ != nullptr) {
    Timed* const one = take(*first_).detach();
    one->next_ = taken;
    taken = one;
  }
  return taken;
}

void Reminders::drop(Timed* taken) noexcept {
  while (taken != nullptr) {
    Timed* const next = std::exchange(taken->next_, nullptr);
    taken->remove_ref();
    taken = next;
  }
}

}  // namespace tenon::orb
