// SPDX-License-Identifier: Apache-2.0
#include "dynamic/dii/deferred.hpp"

#include <algorithm>

#include "base/minor_codes.hpp"
#include "mapping/cpp11/corba/attached.hpp"
#include "orb/client/async_call.hpp"
#include "orb/orb.hpp"
#include "orb/threads/reactor.hpp"
#include "tenon/corba/exception.hpp"

namespace tenon::dynamic {

/// A deferred request in flight.
class Deferred::Call final : public orb::AsyncCall {
 public:
  Call(Ref<DynamicCall> call, std::shared_ptr<Deferred> whose)
      : AsyncCall(call->target, call->described()), call_(std::move(call)), deferred_(std::move(whose)) {}

 private:
  void put(cdr::Writer& into) noexcept override {
    try {
      call_->put(into);
    } catch (...) {
      into.fail(current_error(Completion::no));
    }
  }
  const protocol::CallDescription* description() const noexcept override { return call_.get(); }
  void finished(const Status& outcome, protocol::ReplyStatus status, cdr::Reader* reply) noexcept override {
    call_->ended(outcome, status, reply);
    deferred_->ended(*call_);
  }

  const Ref<DynamicCall> call_;
  const std::shared_ptr<Deferred> deferred_;
};

std::shared_ptr<Deferred> Deferred::of(orb::Orb& orb) {
  static constexpr char key = 0;
  return gen::attached<Deferred>(orb, &key);
}

Status Deferred::start(const Ref<DynamicCall>& call) {
  {
    const std::lock_guard lock(mutex_);
    running_.push_back(call.get());
  }
  const Status started = make_ref<Call>(call, shared_from_this())->start();
  if (started) return {};
  ended(*call);
  return started.error() == errors::no_thread_left ? Status(errors::too_many_deferred) : started;
}

void Deferred::ended(const DynamicCall& call) noexcept {
  const std::lock_guard lock(mutex_);
  std::erase(running_, &call);
  changed_.notify_all();
}

bool Deferred::running(const DynamicCall& call) const noexcept {
  return std::ranges::find(running_, &call) != running_.end();
}

bool Deferred::wait_until(orb::Orb& orb, FunctionRef<bool()> done, Deadline by) {
  if (orb::Reactor* reactor = orb.reactor(); reactor != nullptr && reactor->serves_here()) {
    // No other thread reads the replies.
    orb::NestedWait wait(*reactor);
    if (const Status begun = wait.begin(); !begun) gen::raise(begun.error());
    const auto look = [&] {
      const std::lock_guard lock(mutex_);
      return done();
    };
    if (wait.here()) {
      if (by.is_immediate()) reactor->step(by);
      return wait.until(look, by);
    }
  }
  std::unique_lock lock(mutex_);
  while (!done()) {
    if (!by.is_never()) return false;
    changed_.wait(lock);
  }
  return true;
}

bool Deferred::done(const DynamicCall& call) {
  return wait_until(call.target->orb(), [&] { return !running(call); }, Deadline::immediately());
}

void Deferred::wait(const DynamicCall& call) {
  wait_until(call.target->orb(), [&] { return !running(call); }, Deadline::never());
}

std::size_t Deferred::wait_for_one(const std::vector<const DynamicCall*>& calls) {
  std::size_t found = 0;
  const auto any_done = [&] {
    for (found = 0; found < calls.size(); ++found) {
      if (!running(*calls[found])) return true;
    }
    return false;
  };
  wait_until(calls.front()->target->orb(), any_done, Deadline::never());
  return found;
}

}  // namespace tenon::dynamic
