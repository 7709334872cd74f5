// SPDX-License-Identifier: Apache-2.0
#include "mapping/cpp11/pending_call.hpp"

#include "base/minor_codes.hpp"
#include "mapping/cpp11/call_policies.hpp"
#include "orb/orb.hpp"
#include "orb/reactor.hpp"
#include "protocol/reply_error.hpp"

namespace tenon::gen {

namespace {

Ref<orb::Reference> reference_of(const CORBA::Object& self) {
  if (!self._reference()) raise(errors::local_operation);
  return self._reference();
}

orb::CallSpec spec_of(const CORBA::Object& self, const Operation& operation) {
  orb::CallSpec spec{.operation = operation.name, .has_arguments = operation.has_arguments};
  apply_policies(self, spec);
  return spec;
}

}  // namespace

PendingCall::PendingCall(CORBA::Object& self, const Operation& operation)
    : AsyncCall(reference_of(self), spec_of(self, operation)), operation_(operation) {}

void begin_call(PendingCall& call) {
  if (const Status started = call.start(); !started) raise(started.error());
}

bool PendingCall::ready() {
  const std::lock_guard lock(mutex_);
  return ready_;
}

bool PendingCall::wait_until(Deadline deadline) {
  if (orb::Reactor* reactor = orb().reactor(); reactor != nullptr && reactor->serves_here()) {
    // Nobody else reads the reply.
    orb::NestedWait wait(*reactor);
    if (const Status begun = wait.begin(); !begun) raise(begun.error());
    if (wait.here()) return wait.until([this] { return ready(); }, deadline);
  }
  std::unique_lock lock(mutex_);
  if (deadline.is_never()) {
    changed_.wait(lock, [this] { return ready_; });
    return true;
  }
  const auto until = std::chrono::steady_clock::time_point(std::chrono::nanoseconds(deadline.ns()));
  return changed_.wait_until(lock, until, [this] { return ready_; });
}

bool PendingCall::when_ready(std::function<void()> then) {
  const std::lock_guard lock(mutex_);
  if (ready_) return false;
  then_ = std::move(then);
  return true;
}

void PendingCall::run_there(std::function<void()> work) { orb().attendant()->run(std::move(work)); }

/// What the arguments' own code throws ends the call, and is what the caller gets.
void PendingCall::put(cdr::Writer& into) {
  std::exception_ptr thrown;
  try {
    write(into);
  } catch (const CORBA::SystemException& exception) {
    thrown = std::current_exception();
    into.fail(exception._error());
  } catch (...) {
    thrown = std::current_exception();
    into.fail(errors::out_of_memory);
  }
  // Time may run out meanwhile, which ends the call on another thread.
  const std::lock_guard lock(mutex_);
  thrown_ = std::move(thrown);
}

std::exception_ptr PendingCall::take_thrown() noexcept {
  const std::lock_guard lock(mutex_);
  return std::exchange(thrown_, nullptr);
}

void PendingCall::finished(const Status& outcome, protocol::ReplyStatus status, cdr::Reader* reply) noexcept {
  try {
    if (!outcome) {
      if (std::exception_ptr thrown = take_thrown()) std::rethrow_exception(std::move(thrown));
      raise_call_failed(outcome.error());
    }
    if (status == protocol::ReplyStatus::user_exception) throw_user_exception(*reply, operation_.raises);
    read(*reply);
    if (!reply->good()) raise(protocol::in_reply(reply->error()).with(Completion::yes));
  } catch (...) {
    failure_ = std::current_exception();
  }
  std::function<void()> then;
  {
    const std::lock_guard lock(mutex_);
    ready_ = true;
    then = std::move(then_);
    changed_.notify_all();
  }
  if (then) then();
}

}  // namespace tenon::gen
