// SPDX-License-Identifier: Apache-2.0
#include "orb/client/awaited_reply.hpp"

#include <utility>

#include "base/minor_codes.hpp"
#include "orb/client/collocated.hpp"
#include "orb/orb.hpp"
#include "orb/server/serving.hpp"
#include "orb/threads/attendant.hpp"
#include "orb/threads/reactor.hpp"

namespace tenon::orb {

AwaitedReply::AwaitedReply(Orb& orb) : orb_(&orb) {
  if (!orb.collocation()->await(*this)) fail(errors::connection_lost);
}

AwaitedReply::~AwaitedReply() { orb_->collocation()->forget(*this); }

bool AwaitedReply::awaited() noexcept {
  const LockGuard lock(mutex_);
  return state_ == State::awaited;
}

Status AwaitedReply::wait(Deadline by) {
  Status slept;
  if (awaited()) slept = sleep_until_come(by);
  if (!give_up()) return {};
  return slept ? Status(errors::reply_timed_out.with(Completion::maybe)) : slept;
}

/// Not Ok: this thread cannot wait.
Status AwaitedReply::sleep_until_come(Deadline by) {
  Attendant* const attendant = orb_->reactor() != nullptr ? orb_->attendant() : nullptr;
  if (attendant != nullptr) {
    const auto waited = attendant->wait_here([this] { return !awaited(); }, by);
    if (!waited) return waited.error().with(Completion::maybe);
    if (*waited != Attendant::Waited::not_here) return {};
  }
  WaitingInUpcall waiting;
  if (const Status begun = waiting.begin(); !begun) return begun.error().with(Completion::maybe);
  const LockGuard lock(mutex_);
  while (state_ == State::awaited && changed_.wait_until(mutex_, by)) {}
  return {};
}

void AwaitedReply::tell(HeldCall& follower) {
  {
    const LockGuard lock(mutex_);
    if (state_ == State::awaited) follower_ = &follower;
    if (state_ != State::come) return;
  }
  follower.answered();
}

bool AwaitedReply::give_up() noexcept {
  const LockGuard lock(mutex_);
  if (state_ == State::come) return false;
  state_ = State::given_up;
  follower_ = nullptr;
  return true;
}

Status AwaitedReply::collect(CollocatedReply& into) noexcept {
  const LockGuard lock(mutex_);
  if (failure_) return failure_;
  into = std::move(reply_);
  return {};
}

void AwaitedReply::answer(CollocatedReply reply) noexcept {
  HeldCall* follower = nullptr;
  {
    const LockGuard lock(mutex_);
    if (state_ != State::awaited) return;
    reply_ = std::move(reply);
    follower = come();
  }
  tell_of_it(follower);
}

void AwaitedReply::fail(Error error) noexcept {
  HeldCall* follower = nullptr;
  {
    const LockGuard lock(mutex_);
    if (state_ != State::awaited) return;
    failure_ = error.with(Completion::maybe);
    follower = come();
  }
  tell_of_it(follower);
}

HeldCall* AwaitedReply::come() noexcept {
  state_ = State::come;
  changed_.notify_all();
  return std::exchange(follower_, nullptr);
}

void AwaitedReply::tell_of_it(HeldCall* follower) noexcept {
  if (follower != nullptr) return follower->answered();
  Reactor* const reactor = orb_->reactor();
  if (reactor != nullptr && !reactor->is_here()) reactor->wake();
}

}  // namespace tenon::orb
