// SPDX-License-Identifier: Apache-2.0
#include "orb/async_call.hpp"

#include "base/minor_codes.hpp"
#include "cdr/exception_body.hpp"
#include "orb/collocated.hpp"
#include "orb/orb.hpp"
#include "orb/serving.hpp"
#include "orb/tried.hpp"
#include "protocol/exception_detail.hpp"

namespace tenon::orb {

AsyncCall::AsyncCall(Ref<Reference> reference, const CallSpec& spec)
    : reference_(std::move(reference)), spec_(spec), sent_(spec) {}

Status AsyncCall::start() {
  if (const Status usable = orb().usable(); !usable) return usable;
  attendant_ = orb().attendant();
  if (attendant_ == nullptr || !attendant_->has_worker()) return errors::no_thread_left;
  if (orb().reactor() != nullptr) orb().sweep_in_time();
  attendant_->keep_time();  // connections of those whose time is over are free for this call
  const std::uint32_t usual_ms = orb().options().messaging.limits.receive_timeout_ms;
  by_ = spec_.reply_by.is_never() && usual_ms != 0 ? Deadline::after_ms(usual_ms) : spec_.reply_by;
  if (!by_.is_never()) attendant_->remind(Ref<Timed>(this), by_);
  const Ref<Reference> forwarded = reference_->forwarded();
  attempts_.emplace(*reference_, forwarded ? *forwarded : *reference_, spec_.rebind);
  Next next = Next::done;
  Status outcome;
  if (attempt(next, outcome) == Went::over) {
    keep_trail();
    // Whoever started it is not called back before it has gone on.
    attendant_->run([call = Ref(this), next, outcome] {
      Trail::mine().restart();
      call->go_on(next, outcome);
    });
  }
  return {};
}

/// False: the observer does not let the attempt begin.
bool AsyncCall::watch(CallObserver& observer, Next& next, Status& outcome) {
  watched_ = observer.watch(*reference_, attempts_->target(), spec_);
  Verdict verdict = watched_->starting();
  if (!verdict.goes_on()) {
    apply(std::move(verdict), next, outcome);
    return false;
  }
  sent_.contexts = watched_->contexts();
  const std::lock_guard lock(mutex_);
  watching_ = true;
  return true;
}

/// True: the observer is to be told of the end, by whoever asks first.
bool AsyncCall::stop_watching() noexcept {
  const std::lock_guard lock(mutex_);
  return std::exchange(watching_, false);
}

void AsyncCall::apply(Verdict verdict, Next& next, Status& outcome) {
  next = verdict.error ? Next::done : Next::forward;
  outcome = verdict.error ? Status(verdict.error) : Status();
  if (verdict.forward) attempts_->redirect(std::move(verdict.forward));
}

/// Tells the observer of an attempt without a reply for the caller.
void AsyncCall::settle(Next& next, Status& outcome) {
  if (!stop_watching()) return;
  using Kind = AttemptEnd::Kind;
  AttemptEnd end{.kind = Kind::system_exception, .error = outcome.error()};
  if (next == Next::forward) end = {.kind = Kind::forward, .forward = attempts_->target().forwarded()};
  if (next == Next::retry) end = {.kind = Kind::retry};
  Verdict verdict = watched_->ended(std::move(end));
  if (!verdict.goes_on()) apply(std::move(verdict), next, outcome);
}

/// A reply for the caller has come.
void AsyncCall::succeed(protocol::ReplyStatus status, cdr::Reader& reply) {
  if (stop_watching()) {
    const bool raised = status == protocol::ReplyStatus::user_exception;
    Verdict verdict = watched_->ended(
        {.kind = raised ? AttemptEnd::Kind::user_exception : AttemptEnd::Kind::reply, .body = reply});
    if (!verdict.goes_on()) {
      Next next = Next::done;
      Status outcome;
      apply(std::move(verdict), next, outcome);
      return go_on(next, outcome);
    }
  }
  finish({}, status, &reply);
}

/// What this thread has tried in vain stays with the call, which another thread may end.
void AsyncCall::keep_trail() noexcept {
  Trail& mine = Trail::mine();
  if (mine.empty()) return;
  const std::lock_guard lock(mutex_);
  tried_.append(mine.take());
}

/// Of the attempt over link_, in this thread's trail.
void AsyncCall::note(Step step, const Status& outcome, std::string_view said) noexcept {
  note_failure(attempts_->target(), link_, step, outcome.error(), said);
}

/// Everything that follows an attempt which is over.
void AsyncCall::go_on(Next next, Status outcome) {
  keep_trail();
  settle(next, outcome);
  while (attempts_->another(next, outcome)) {
    if (attempt(next, outcome) == Went::on) return;
    keep_trail();
    settle(next, outcome);
  }
  finish_with(outcome);
}

AsyncCall::Went AsyncCall::attempt(Next& next, Status& outcome) {
  next = Next::done;
  Trail::mine().restart();
  {
    // Whoever cancelled it may still be telling the observer of the last attempt.
    const std::lock_guard lock(mutex_);
    if (ended_) {
      outcome = not_sent();
      return Went::over;
    }
  }
  if (CallObserver* observer = orb().call_observer()) {
    if (!watch(*observer, next, outcome)) return Went::over;
  }
  Link link;
  do {
    link = {};
    outcome = select_link(attempts_->target(), earlier(by_, spec_.deadline), spec_.rebind, link);
    if (!outcome) return Went::over;
    if (!link.connection) break;
    if (send(link, next, outcome) == Went::on) return Went::on;
  } while (!outcome && outcome.error() == errors::connection_taken);
  if (link.connection) return Went::over;
  held();
  attendant_->run_upcall([call = Ref(this), target = link.target] { call->run_collocated(*target); });
  return Went::on;
}

AsyncCall::Went AsyncCall::send(const Link& link, Next& next, Status& outcome) {
  const OrbScope scope(orb());
  call_.emplace(sent_);
  call_->may_share = link.may_share;
  outcome = link.connection->begin_unattended(*call_, *this, *link.target);
  if (!outcome && outcome.error() == errors::connection_taken) return Went::over;
  if (!outcome) {
    note_failure(attempts_->target(), link, Step::call, outcome.error());
    // Nothing has been sent. Also a fresh one may have been closed already, to make room.
    if (!link.connection->usable()) next = over_another_connection(spec_.rebind, outcome);
    return Went::over;
  }
  put(*call_->arguments);
  {
    const std::lock_guard lock(mutex_);
    if (!call_->arguments->good()) {
      outcome = call_->arguments->error().with(Completion::no);
    } else if (ended_) {
      outcome = not_sent();
    } else {
      link_ = link;
      where_ = Where::in_flight;
    }
  }
  if (!outcome) {
    link.connection->end(*call_);
    return Went::over;
  }
  keep_trail();
  add_ref();  // of the call in flight: done() or abandon() takes it over
  outcome = link.connection->start(*call_);
  if (outcome) {
    // From here on the call may be anywhere, but its time may have run out while it was being sent.
    const std::lock_guard lock(mutex_);
    if (ended_ && where_ == Where::in_flight) abandon();
    return Went::on;
  }
  {
    const std::lock_guard lock(mutex_);
    where_ = Where::between;
  }
  next = failed(outcome);
  remove_ref();
  return Went::over;
}

/// What a call that got no reply says about another attempt.
Next AsyncCall::failed(Status& outcome) {
  outcome = outcome.error().with(call_->completed);
  note(Step::call, outcome);
  const bool stale = call_->completed == Completion::no && !link_.fresh && !link_.connection->usable() &&
                     outcome.error().id != SystemException::timeout;
  return stale ? over_another_connection(spec_.rebind, outcome) : Next::done;
}

void AsyncCall::done(protocol::OutgoingCall&) noexcept {
  attendant_->run([call = Ref<AsyncCall>::adopt(this)] { call->replied(); });
}

void AsyncCall::attend(protocol::Connection& connection) noexcept { attendant_->attend(connection); }

void AsyncCall::replied() {
  {
    const std::lock_guard lock(mutex_);
    where_ = Where::between;
  }
  const OrbScope scope(orb());
  Trail::mine().restart();
  Status outcome;
  Next next = Next::done;
  if (call_->failure) {
    outcome = call_->failure;
    next = failed(outcome);
    return go_on(next, outcome);
  }
  if (watched_ && call_->reply_contexts) {
    call_->reply_contexts->each(
        [this](const protocol::ServiceContext& context) { watched_->replied_with(context); });
  }
  switch (call_->status) {
    case protocol::ReplyStatus::no_exception:
    case protocol::ReplyStatus::user_exception: return succeed(call_->status, *call_->reply);
    case protocol::ReplyStatus::system_exception:
      outcome = cdr::read_system_exception(*call_->reply).error;
      note(Step::answer, outcome, said_with(*call_));
      break;
    case protocol::ReplyStatus::location_forward:
    case protocol::ReplyStatus::location_forward_perm:
      next = follow(attempts_->target(), *call_->reply, spec_.rebind, outcome);
      note(Step::forward, outcome);
      break;
    case protocol::ReplyStatus::needs_addressing_mode:
      outcome = address_as_wanted(attempts_->target(), *link_.target, call_->wanted_addressing);
      if (outcome) {
        next = Next::retry;
      } else {
        note(Step::call, outcome);
      }
      break;
  }
  go_on(next, outcome);
}

void AsyncCall::held() noexcept {
  const std::lock_guard lock(mutex_);
  if (!ended_) where_ = Where::held;
}

bool AsyncCall::let_go() noexcept {
  const std::lock_guard lock(mutex_);
  if (ended_) return false;
  where_ = Where::in_upcall;
  return true;
}

void AsyncCall::run_collocated(const protocol::Target& target) {
  const OrbScope scope(orb());
  Trail::mine().restart();
  if (!let_go()) return finish_with(not_sent());
  Status outcome;
  bool replied = false;
  Next next = Next::done;
  const auto put_arguments = [this](cdr::Writer& out) { put(out); };
  const auto take = [&](protocol::ReplyStatus status, cdr::Reader& body) {
    if (status == protocol::ReplyStatus::location_forward ||
        status == protocol::ReplyStatus::location_forward_perm) {
      next = follow(attempts_->target(), body, spec_.rebind, outcome);
    } else {
      replied = true;
      succeed(status, body);
    }
  };
  std::string said;
  const auto see = [&](const protocol::ServiceContext& context) {
    if (context.id == protocol::exception_detail_context)
      said = protocol::decode_exception_detail(context.data);
    const std::lock_guard lock(mutex_);
    if (watching_) watched_->replied_with(context);
  };
  CallSpec timed = sent_;
  timed.reply_by = by_;
  const Status called = call_collocated(orb(), target, timed, put_arguments, take, see, this);
  if (replied) return;
  if (!called) outcome = called;
  if (!outcome) note_failure(attempts_->target(), {.target = &target}, Step::answer, outcome.error(), said);
  {
    const std::lock_guard lock(mutex_);
    where_ = Where::between;
  }
  go_on(next, outcome);
}

void AsyncCall::finish(const Status& outcome, protocol::ReplyStatus status, cdr::Reader* reply) {
  Trail tried;
  {
    const std::lock_guard lock(mutex_);
    where_ = Where::between;
    if (std::exchange(over_, true)) return;
    tried = tried_.take();
  }
  if (!by_.is_never()) attendant_->forget(*this, by_);
  // Cancelled, or out of time: the observer may only say with which exception.
  if (stop_watching()) {
    const Verdict verdict =
        watched_->ended({.kind = AttemptEnd::Kind::system_exception, .error = outcome.error()});
    Trail::mine() = std::move(tried);
    return finished(verdict.error ? Status(verdict.error) : outcome, status, reply);
  }
  if (!outcome) Trail::mine() = std::move(tried);
  finished(outcome, status, reply);
}

void AsyncCall::cancel() noexcept { end_with(errors::request_cancelled.with(Completion::maybe)); }

void AsyncCall::expired() noexcept { end_with(errors::reply_timed_out.with(Completion::maybe)); }

void AsyncCall::end_with(const Error& error) noexcept {
  const std::lock_guard lock(mutex_);
  if (over_ || ended_) return;
  ended_ = where_ == Where::held ? error.with(Completion::no) : error;  // it never will begin
  switch (where_) {
    case Where::between: break;  // seen by the next attempt, or the call is about to end by itself
    case Where::in_flight: abandon(); break;
    case Where::held:
    case Where::in_upcall:
      // A servant that runs goes on, for nobody; another one never will.
      attendant_->run([call = Ref(this), error = ended_] { call->finish_with(error); });
      break;
  }
}

void AsyncCall::abandon() noexcept {
  if (!link_.connection->abandon(*call_)) return;
  where_ = Where::between;
  {
    // The trail of this thread, which may be in the middle of something else, stays as it is.
    Trail others = Trail::mine().take();
    note(Step::call, ended_);
    tried_.append(Trail::mine().take());
    Trail::mine() = std::move(others);
  }
  // Whoever tells of the end may come to that much later; the descriptor is not kept so long.
  link_.connection = nullptr;
  attendant_->run([call = Ref<AsyncCall>::adopt(this), error = ended_] { call->finish_with(error); });
}

}  // namespace tenon::orb
