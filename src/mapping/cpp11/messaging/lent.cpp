// SPDX-License-Identifier: Apache-2.0
#include "tenon/messaging/lent.hpp"

#include <utility>

#include "mapping/cpp11/messaging/pending_call.hpp"

namespace tenon {

namespace {

/// The last one of this thread that no call has taken.
constinit thread_local Lent* innermost = nullptr;

}  // namespace

Lent::Lent(std::function<void()>&& returned, const void* argument) noexcept
    : argument_(argument), returned_(std::move(returned)), outer_(std::exchange(innermost, this)) {}

Lent::~Lent() {
  if (taken()) return;
  leave();
  gen::tell_returned(returned_);
}

/// From here on it is not among those of the thread, so that it may end on another one.
void Lent::leave() noexcept {
  Lent** at = &innermost;
  while (*at != this) at = &(*at)->outer_;
  *at = outer_;
}

bool Lent::take(const void* argument, gen::PendingCall& call) {
  for (Lent* each = innermost; each != nullptr; each = each->outer_) {
    if (each->argument_ != argument) continue;
    call.lend(std::move(each->returned_));
    each->leave();
    each->argument_ = nullptr;
    return true;
  }
  return false;
}

}  // namespace tenon
