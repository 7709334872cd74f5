// SPDX-License-Identifier: Apache-2.0
#include "orb/client/async_call.hpp"

#include <utility>

#include "base/memory.hpp"
#include "base/minor_codes.hpp"
#include "orb/client/tried.hpp"
#include "orb/orb.hpp"
#include "orb/server/serving.hpp"

namespace tenon::orb {

namespace {

/// Whether the ORB has the part that serves asynchronous calls.
bool attends(Orb& orb, const Attendant* attendant) noexcept {
  if (attendant != nullptr) return attendant->attends();
  return (orb.reactor() != nullptr ? orb.parts().single_thread_attendant : orb.parts().attendant) != nullptr;
}

}  // namespace

AsyncCall::AsyncCall(Ref<Reference> reference, const CallSpec& spec)
    : reference_(std::move(reference)), spec_(spec), engine_(*reference_, spec_) {}

Status AsyncCall::start() {
  if (const Status usable = orb().usable(); !usable) return usable;
  if (memory::is_known()) return errors::not_where_memory_is_known;  // what follows a call is of the heap
  if (memory::is_exhausted()) return memory::shortage();
  attendant_ = orb().attendant();
  if (attendant_ == nullptr || !attendant_->has_worker())
    return attends(orb(), attendant_) ? errors::no_thread_left : errors::no_asynchronous_part;
  if (orb().reactor() != nullptr) orb().sweep_in_time();
  attendant_->keep_time();  // this call may use the connections of calls whose time is over
  const std::uint32_t usual_ms = orb().options().messaging.limits.receive_timeout_ms;
  if (spec_.reply_by.is_never() && usual_ms != 0) spec_.reply_by = Deadline::after_ms(usual_ms);
  by_ = spec_.reply_by;
  if (!by_.is_never()) attendant_->remind(Ref<Timed>(this), by_);
  if (attempt() == Went::over) {
    keep_trail();  // NOLINT(clang-analyzer-cplusplus.NewDelete): the caller's reference lasts
    // The thread that started the call goes on before it is called back.
    attendant_->run([call = Ref(this)] {
      Trail::mine().restart();
      call->go_on();
    });
  }
  return {};
}

/// Why a call ends whose next attempt has not begun: completion NO, since no earlier attempt was executed.
Status AsyncCall::not_sent() noexcept {
  const LockGuard lock(mutex_);
  return ended_.with(Completion::no);
}

/// True: the observer is to be told of the end, by the thread that asks first.
bool AsyncCall::take_untold() noexcept {
  const LockGuard lock(mutex_);
  return engine_.take_untold();
}

/// Moves what this thread has tried in vain from its trail into the call, which another thread may end.
void AsyncCall::keep_trail() noexcept {
  Trail& mine = Trail::mine();
  if (mine.empty()) return;
  const LockGuard lock(mutex_);
  tried_.append(mine.take());
}

/// Everything that follows an attempt which is over.
void AsyncCall::go_on() {
  do {
    if (take_untold()) engine_.tell_observer();
    keep_trail();
    if (!engine_.another()) {
      if (!engine_.outcome) return fail(engine_.outcome);
      return finish_with({}, engine_.call->status, &*engine_.call->reply);
    }
  } while (attempt() == Went::over);
}

AsyncCall::Went AsyncCall::attempt() {
  Trail::mine().restart();
  {
    // The thread that cancelled it may still be telling the observer of the last attempt.
    const LockGuard lock(mutex_);
    if (ended_) {
      engine_.outcome = ended_.with(Completion::no);
      return Went::over;
    }
  }
  const OrbScope scope(orb());
  switch (engine_.begin(earlier(by_, spec_.deadline), this)) {
    case CallEngine::Begun::no: return Went::over;
    case CallEngine::Begun::over_connection: return send();
    case CallEngine::Begun::here: break;
  }
  hold();
  attendant_->run_upcall([call = Ref(this)] { call->run_collocated(); });
  return Went::on;
}

AsyncCall::Went AsyncCall::send() {
  put(*engine_.call->arguments);
  bool sends = engine_.arguments_written();
  if (sends) {
    const LockGuard lock(mutex_);
    if (ended_) {
      engine_.outcome = ended_.with(Completion::no);
      sends = false;
    } else {
      where_ = Where::in_flight;
    }
  }
  if (!sends) {
    engine_.end();
    return Went::over;
  }
  keep_trail();
  add_ref();  // the reference that the call in flight holds: done() or abandon() takes it over
  engine_.started();
  const Status started = engine_.link.connection->start(*engine_.call);
  {
    const LockGuard lock(mutex_);
    if (started) {
      // Other threads may handle the call from here on. But its time may have run out while it was being sent.
      if (ended_ && where_ == Where::in_flight) abandon();
      return Went::on;
    }
    where_ = Where::between;
  }
  engine_.outcome = started;
  engine_.failed();
  remove_ref();
  return Went::over;
}

/// The reply of the call in flight, over its connection or in this process; takes over the reference that the call in flight holds.
void AsyncCall::has_come() noexcept {
  attendant_->run([call = Ref<AsyncCall>::adopt(this)] { call->replied(); });
}

void AsyncCall::replied() {
  {
    const LockGuard lock(mutex_);
    where_ = Where::between;
  }
  const OrbScope scope(orb());
  Trail::mine().restart();
  engine_.outcome = collect_reply();
  engine_.outcome ? engine_.replied() : engine_.failed();
  go_on();
}

Status AsyncCall::collect_reply() {
  Ref<AwaitedReply> awaited;
  {
    const LockGuard lock(mutex_);
    awaited = std::move(awaited_);
  }
  if (!awaited) return engine_.call->failure ? Status(engine_.call->failure) : Status();
  here_ = std::make_unique<RoomFor<CollocatedCall>>();
  CollocatedCall& here = orb().collocation()->begin(*here_);
  const Status collected = here.collect(*awaited);
  engine_.replied_here(here);
  if (!collected) engine_.call->completed = collected.error().completed;
  return collected;
}

void AsyncCall::hold() noexcept {
  const LockGuard lock(mutex_);
  if (!ended_) where_ = Where::held;
}

bool AsyncCall::enter_upcall() noexcept {
  const LockGuard lock(mutex_);
  if (ended_) return false;
  where_ = Where::in_upcall;
  return true;
}

void AsyncCall::await(Ref<AwaitedReply> reply) noexcept {
  const LockGuard lock(mutex_);
  awaited_ = std::move(reply);
}

void AsyncCall::run_collocated() {
  const OrbScope scope(orb());
  Trail::mine().restart();
  if (!enter_upcall()) return fail(not_sent());
  RoomFor<CollocatedCall> room;
  CollocatedCall& here = orb().collocation()->begin(room);
  put(here.request());
  const bool has_replied = engine_.run_here(here, this);
  Ref<AwaitedReply> awaited;
  {
    const LockGuard lock(mutex_);
    awaited = awaited_;
    if (ended_) return;  // the thread that ended it has left fail() to another one
    where_ = awaited ? Where::in_flight : Where::between;
    if (awaited) add_ref();  // the reference that the call in flight holds, until answered() or abandon()
  }
  if (awaited) return awaited->tell(*this);
  if (has_replied) engine_.replied();
  go_on();
}

void AsyncCall::finish_with(const Status& outcome, protocol::ReplyStatus status, cdr::Reader* reply) {
  Trail tried;
  {
    const LockGuard lock(mutex_);
    where_ = Where::between;
    if (std::exchange(over_, true)) return;
    tried = tried_.take();
  }
  if (!by_.is_never()) attendant_->forget(*this);
  // Cancelled, or out of time: the observer may only say with which exception.
  if (take_untold()) {
    const Status told = engine_.tell_observer_of(outcome.error());
    Trail::mine() = std::move(tried);
    return finished(told, status, reply);
  }
  if (!outcome) Trail::mine() = std::move(tried);
  finished(outcome, status, reply);
}

void AsyncCall::cancel() noexcept { end_with(errors::request_cancelled.with(Completion::maybe)); }

void AsyncCall::end_with(const Error& error) noexcept {
  const LockGuard lock(mutex_);
  if (over_ || ended_) return;
  ended_ = where_ == Where::held ? error.with(Completion::no) : error;  // it will never begin
  switch (where_) {
    case Where::between: break;  // seen by the next attempt, or the call is about to end by itself
    case Where::in_flight: abandon(); break;
    case Where::held:
    case Where::in_upcall:
      // A servant that runs already goes on, but no caller waits for it; one that does not run yet will not.
      attendant_->run([call = Ref(this), error = ended_] { call->fail(error); });
      break;
  }
}

void AsyncCall::abandon() noexcept {
  const bool abandoned = awaited_ ? awaited_->give_up() : engine_.link.connection->abandon(*engine_.call);
  if (!abandoned) return;
  where_ = Where::between;
  {
    // The trail of this thread, which may be in the middle of something else, stays as it is.
    Trail others = Trail::mine().take();
    note_failure(engine_.target(), engine_.link, Step::call, ended_);
    tried_.append(Trail::mine().take());
    Trail::mine() = std::move(others);
  }
  if (engine_.link.connection) engine_.link.connection->cancel(*engine_.call);
  // finished() may be called much later; the connection's descriptor is not kept so long.
  engine_.link.connection = nullptr;
  attendant_->run([call = Ref<AsyncCall>::adopt(this), error = ended_] { call->fail(error); });
}

}  // namespace tenon::orb
