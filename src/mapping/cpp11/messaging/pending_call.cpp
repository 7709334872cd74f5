// SPDX-License-Identifier: Apache-2.0
#include "mapping/cpp11/messaging/pending_call.hpp"

#include <optional>

#include "base/log.hpp"
#include "base/minor_codes.hpp"
#include "mapping/cpp11/calls/copying_call.hpp"
#include "mapping/cpp11/corba/protocol_policies.hpp"
#include "orb/orb.hpp"
#include "orb/threads/reactor.hpp"
#include "protocol/reply_error.hpp"
#include "tenon/corba/call_policies.hpp"

namespace tenon::gen {

namespace {

Ref<orb::Reference> reference_of(const CORBA::Object& self) {
  if (!self._reference()) raise(errors::local_operation);
  return Ref(&reference_for_call(*self._reference()));
}

orb::CallSpec spec_of(const CORBA::Object& self, const Operation& operation) {
  orb::CallSpec spec{.operation = operation.name, .has_arguments = operation.has_arguments};
  apply_policies(self, spec);
  return spec;
}

/// Serves until `done` or the deadline, if this thread is the only one of the ORB to serve. No value: it is not.
std::optional<bool> serve_until(orb::Orb& orb, FunctionRef<bool()> done, Deadline deadline) {
  orb::Attendant* const attendant = orb.attendant();
  if (attendant == nullptr) return {};
  const auto waited = attendant->wait_here(done, deadline);
  if (!waited) raise(waited.error());
  if (*waited == orb::Attendant::Waited::not_here) return {};
  return *waited == orb::Attendant::Waited::done;
}

bool wait_on(std::condition_variable& changed, std::unique_lock<std::mutex>& lock, FunctionRef<bool()> done,
             Deadline deadline) {
  if (deadline.is_never()) {
    changed.wait(lock, done);
    return true;
  }
  const auto until = std::chrono::steady_clock::time_point(std::chrono::nanoseconds(deadline.ns()));
  return changed.wait_until(lock, until, done);
}

}  // namespace

void Bell::ring() {
  const std::lock_guard lock(mutex);
  rung_.notify_all();
  if (waiting_ != nullptr) waiting_->wake();
}

/// Lets ring() wake the reactor that serves meanwhile: the call that ends may belong to another ORB.
class Bell::Waiting {
 public:
  Waiting(Bell& bell, orb::Reactor& reactor) : bell_(bell) { set(&reactor); }
  ~Waiting() { set(nullptr); }
  Waiting(const Waiting&) = delete;
  Waiting& operator=(const Waiting&) = delete;

 private:
  void set(orb::Reactor* reactor) {
    const std::lock_guard lock(bell_.mutex);
    bell_.waiting_ = reactor;
  }
  Bell& bell_;
};

bool Bell::wait(orb::Orb* served, FunctionRef<bool()> done, Deadline deadline) {
  if (served != nullptr) {
    const Waiting waiting(*this, *served->reactor());
    const auto locked = [&] {
      const std::lock_guard lock(mutex);
      return done();
    };
    if (const std::optional<bool> ended = serve_until(*served, locked, deadline)) return *ended;
  }
  std::unique_lock lock(mutex);
  return wait_on(rung_, lock, done, deadline);
}

PendingCall::PendingCall(CORBA::Object& self, const Operation& operation)
    : AsyncCall(reference_of(self), spec_of(self, operation)),
      operation_(operation),
      copy_below_(copy_below_of(self)) {}

PendingCall::~PendingCall() {
  if (!lending_) return;
  for (const std::function<void()>& each : lending_->returned) tell_returned(each);
}

void begin_call(PendingCall& call) {
  if (const Status started = call.start(); !started) raise(started.error());
}

bool PendingCall::ready() {
  const std::lock_guard lock(mutex_);
  return ready_;
}

orb::Orb* PendingCall::served_here() const {
  orb::Reactor* const reactor = orb().reactor();
  return reactor != nullptr && reactor->serves_here() ? &orb() : nullptr;
}

bool PendingCall::wait_until(Deadline deadline) {
  // This thread must read the reply itself, since no other one does.
  if (orb::Orb* served = served_here()) {
    if (const std::optional<bool> ready = serve_until(*served, [this] { return this->ready(); }, deadline))
      return *ready;
  }
  std::unique_lock lock(mutex_);
  return wait_on(changed_, lock, [this] { return ready_; }, deadline);
}

bool PendingCall::when_ready(std::function<void()> then) {
  const std::lock_guard lock(mutex_);
  if (ready_) return false;
  then_ = std::move(then);
  return true;
}

bool PendingCall::hang(std::shared_ptr<Bell> bell) {
  const std::lock_guard lock(mutex_);
  if (bell_) return false;
  bell_ = std::move(bell);
  return true;
}

void PendingCall::take_bell() noexcept {
  const std::lock_guard lock(mutex_);
  bell_ = nullptr;
}

void PendingCall::ring() {
  std::shared_ptr<Bell> bell;
  {
    const std::lock_guard lock(mutex_);
    bell = bell_;
  }
  if (bell) bell->ring();
}

void PendingCall::run_there(std::function<void()> work) { orb().attendant()->run(std::move(work)); }

// --- arguments that are lent ---
//
// The connection reads them until start() has returned, and has_come() follows that. Only a collocated call can be over while its
// arguments are being written: its caller no longer waits for it.

void tell_returned(const std::function<void()>& returned) noexcept {
  try {
    if (returned) returned();
  } catch (...) {
    if (log_enabled(LogLevel::warning))
      log(LogLevel::warning, "ami", "what was told that a lent argument is no longer needed has thrown");
  }
}

void PendingCall::lend(std::function<void()>&& returned) {
  if (!lending_) lending_ = std::make_unique<Lending>();
  lending_->returned.push_back(std::move(returned));
}

bool PendingCall::begin_writing() noexcept {
  const std::lock_guard lock(mutex_);
  lending_->writing = !lending_->over;
  return lending_->writing;
}

void PendingCall::end_writing() noexcept {
  {
    const std::lock_guard lock(mutex_);
    lending_->writing = false;
    if (!lending_->over) return;
  }
  give_back();
}

/// The call is over. A thread that is writing the arguments gives them back when it has done so.
void PendingCall::give_back() noexcept {
  Returned returned;
  {
    const std::lock_guard lock(mutex_);
    lending_->over = true;
    if (lending_->writing) return;
    returned.swap(lending_->returned);
  }
  for (const std::function<void()>& each : returned) tell_returned(each);
}

/// If code of the arguments throws, the call ends with that exception.
void PendingCall::put(cdr::Writer& into) noexcept {
  if (lending_ && !begin_writing()) return into.fail(errors::request_cancelled);
  std::exception_ptr thrown;
  try {
    const cdr::LendingScope lending(into, copy_below_ ? *copy_below_ : into.lends_from());
    write(into);
  } catch (const CORBA::SystemException& exception) {
    thrown = std::current_exception();
    into.fail(exception._error());
  } catch (...) {
    thrown = std::current_exception();
    into.fail(errors::out_of_memory);
  }
  {
    // The call's time may run out meanwhile, and then another thread ends the call.
    const std::lock_guard lock(mutex_);
    thrown_ = std::move(thrown);
  }
  if (lending_) end_writing();
}

std::exception_ptr PendingCall::take_thrown() noexcept {
  const std::lock_guard lock(mutex_);
  return std::exchange(thrown_, nullptr);
}

void PendingCall::finished(const Status& outcome, protocol::ReplyStatus status, cdr::Reader* reply) noexcept {
  if (lending_) give_back();
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
  std::shared_ptr<Bell> bell;
  {
    const std::lock_guard lock(mutex_);
    ready_ = true;
    then = std::move(then_);
    bell = bell_;
    changed_.notify_all();
  }
  if (bell) bell->ring();
  if (then) then();
}

}  // namespace tenon::gen
