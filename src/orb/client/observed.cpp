// SPDX-License-Identifier: Apache-2.0
//
// What the call engine does for calls that are observed.
#include <utility>

#include "base/memory.hpp"
#include "orb/client/call_engine.hpp"
#include "orb/interception.hpp"

namespace tenon::orb {

bool CallObserver::begin_observed(CallEngine& engine, const protocol::Sink* sink) {
  protocol::CallSpec& spec = engine.spec_;
  if (engine.observed_) {
    spec.contexts = engine.observed_->own_contexts;
  } else {
    engine.observed_.emplace(spec.contexts);
  }
  CallEngine::Observed& observed = *engine.observed_;
  const protocol::CallDescription* const described =
      sink != nullptr ? sink->description() : DescribedCall::of(spec.operation);
  observed.attempt = watch(engine.reference(), engine.target(), spec, described);
  Verdict verdict = observed.attempt ? observed.attempt->starting() : Verdict{memory::shortage(), nullptr};
  if (!verdict.goes_on()) {
    Trail::mine().restart();
    obey(engine, std::move(verdict));
    return false;
  }
  spec.contexts = observed.attempt->contexts();
  observed.untold = true;
  return true;
}

void CallObserver::obey(CallEngine& engine, Verdict verdict) {
  if (!verdict.said.empty())
    Trail::mine().add({.step = Step::choose,
                       .place = "interceptor",
                       .error = verdict.error,
                       .said = std::move(verdict.said)});
  engine.next_ = verdict.error ? Next::done : Next::forward;
  engine.outcome = verdict.error ? Status(verdict.error) : Status();
  engine.observed_->redirected = std::move(verdict.forward);
}

AttemptEnd CallObserver::attempt_end(const CallEngine& engine) {
  using Kind = AttemptEnd::Kind;
  if (engine.next_ == Next::forward) return {.kind = Kind::forward, .forward = engine.target().forwarded()};
  if (engine.next_ == Next::retry || engine.next_ == Next::elsewhere) return {.kind = Kind::retry};
  if (!engine.outcome) return {.kind = Kind::system_exception, .error = engine.outcome.error()};
  if (!engine.spec_.response_expected) return {.kind = Kind::sent};
  const bool raised = engine.call->status == protocol::ReplyStatus::user_exception;
  return {.kind = raised ? Kind::user_exception : Kind::reply, .body = &*engine.call->reply};
}

void CallObserver::tell_end(CallEngine& engine) {
  Verdict verdict = engine.observed_->attempt->ended(attempt_end(engine));
  if (verdict.goes_on()) return;
  if (engine.outcome) Trail::mine().restart();  // it is of calls that the observer has made
  obey(engine, std::move(verdict));
}

Error CallObserver::tell_error(CallEngine& engine, const Error& error) {
  const Verdict verdict =
      engine.observed_->attempt->ended({.kind = AttemptEnd::Kind::system_exception, .error = error});
  return verdict.error ? verdict.error : error;
}

void CallObserver::show_contexts(CallEngine& engine) {
  WatchedAttempt& attempt = *engine.observed_->attempt;
  if (!engine.link.connection) {
    for (const auto& each : engine.here_->reply_contexts()) attempt.replied_with({each.id, each.data});
  } else if (engine.call->reply_contexts) {
    engine.call->reply_contexts->each(
        [&attempt](const protocol::ServiceContext& context) { attempt.replied_with(context); });
  }
}

}  // namespace tenon::orb
