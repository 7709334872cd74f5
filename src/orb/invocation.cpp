// SPDX-License-Identifier: Apache-2.0
#include "orb/invocation.hpp"

#include <utility>

#include "base/log.hpp"
#include "base/minor_codes.hpp"
#include "base/operation_number.hpp"
#include "cdr/exception_body.hpp"
#include "orb/attempts.hpp"
#include "orb/attendant.hpp"
#include "orb/collocated.hpp"
#include "orb/interception.hpp"
#include "orb/link_selector.hpp"
#include "orb/orb.hpp"
#include "orb/reactor.hpp"
#include "orb/serving.hpp"
#include "orb/tried.hpp"
#include "protocol/exception_detail.hpp"

namespace tenon::orb {

namespace {

/// Looks at the service contexts of replies, where somebody wants to, and at the way that an attempt goes.
struct NoWatch {
  void chosen(const Link&) const noexcept {}
  void operator()(const protocol::ServiceContext&) const noexcept {}
  void reply(const protocol::OutgoingCall&) const noexcept {}
};
struct Watch {
  WatchedAttempt& attempt;
  void chosen(const Link&) const noexcept {}
  void operator()(const protocol::ServiceContext& context) const { attempt.replied_with(context); }
  void reply(const protocol::OutgoingCall& call) const {
    if (call.reply_contexts) call.reply_contexts->each(*this);
  }
};

/// Nobody watches; the operation goes by number where the profile offers that. Each attempt decides anew.
struct ByNumber : NoWatch {
  CallSpec& spec;
  const NumberedName& numbered;
  mutable OperationNumberText text;

  ByNumber(CallSpec& call, const NumberedName& name) noexcept : spec(call), numbered(name) {}
  void another() const noexcept { spec.operation = numbered.name; }
  void chosen(const Link& link) const noexcept {
    const ior::OperationNumbers* offered = link.target->numbers;
    if (offered == nullptr || spec.rebind != protocol::Rebind::transparent) return;
    const ior::InterfaceNumbers* found = offered->find(numbered.interface);
    if (found == nullptr) return;
    const std::uint32_t number = std::uint32_t{found->first} + numbered.number;
    if (number > largest_operation_number) return;
    text.write(number, offered->check);
    spec.operation = text.view();
  }
};

/// ... or, where there is no such thing, by name: for what happens rarely, so that its code is there once.
struct AsTold : NoWatch {
  const ByNumber* numbers;

  explicit AsTold(const ByNumber* by) noexcept : numbers(by) {}
  void chosen(const Link& link) const noexcept {
    if (numbers != nullptr) numbers->chosen(link);
  }
};

/// Ends a call whatever happens, a user exception thrown by GetReply included.
struct Ender {
  protocol::Connection& connection;
  protocol::OutgoingCall& call;
  ~Ender() { connection.end(call); }
};

/// One attempt at a call: over one connection, or to an object of this process.
struct Attempt {
  Reference& reference;
  const CallSpec& spec;
  const PutArguments& put;
  const GetReply& get;

  template <typename Look = NoWatch>
  Next run(Status& outcome, const Look& look = {}) const;
  /// run(), by whoever serves while it waits.
  template <typename Look = NoWatch>
  Next run_here(Status& outcome, const Look& look = {}) const;
  template <typename Look>
  Next run_serving(Reactor& reactor, Status& outcome, const Look& look) const;
  Next run_collocated(const protocol::Target& target, Status& outcome,
                      FunctionRef<void(const protocol::ServiceContext&)> contexts) const;
  Next run_watched(Reference& original, CallObserver& observer, Status& outcome,
                   Ref<Reference>& forward) const;
  Next not_begun(const Link& link, Status& outcome) const;
  Next failed(const protocol::OutgoingCall& call, const Link& link, Status& outcome) const;
  Next read_reply(protocol::OutgoingCall& call, const Link& link, Status& outcome) const;
};

template <typename Look>
[[gnu::always_inline]] inline Next Attempt::run(Status& outcome, const Look& look) const {
  Link link;
  outcome = select_link(reference, spec.deadline, spec.rebind, link);
  if (!outcome) [[unlikely]]
    return Next::done;
  if (!link.connection) [[unlikely]]
    return run_collocated(*link.target, outcome, look);
  look.chosen(link);
  protocol::OutgoingCall call(spec);
  call.may_share = link.may_share;
  outcome = link.connection->begin(call, *link.target);
  if (!outcome) [[unlikely]]
    return not_begun(link, outcome);
  const Ender ender{*link.connection, call};
  put(*call.arguments);
  if (!call.arguments->good()) [[unlikely]] {
    outcome = call.arguments->error().with(Completion::no);
    Trail::mine().restart();
    return Next::done;
  }
  // Whoever waits here keeps the thread that serves its connection; others take over.
  WaitingInUpcall waiting;
  if (spec.response_expected) [[likely]] {
    outcome = waiting.begin();
    if (!outcome) [[unlikely]] {
      note_failure(reference, link, Step::call, outcome.error());
      return Next::done;
    }
    outcome = link.connection->invoke(call);
  } else {
    outcome = link.connection->post(call);
    if (outcome) return Next::done;
  }
  if (!outcome) [[unlikely]]
    return failed(call, link, outcome);
  look.reply(call);
  if (call.status > protocol::ReplyStatus::user_exception) [[unlikely]]
    return read_reply(call, link, outcome);
  get(call.status, *call.reply);
  return Next::done;
}

template <typename Look>
Next Attempt::run_here(Status& outcome, const Look& look) const {
  Reactor* const reactor = reference.orb().reactor();
  if (reactor == nullptr || !spec.response_expected || !reactor->serves_here()) return run(outcome, look);
  return run_serving(*reactor, outcome, look);
}

/// As a call that no thread waits for, while its thread serves.
template <typename Look>
Next Attempt::run_serving(Reactor& reactor, Status& outcome, const Look& look) const {
  Attendant* const attendant = reference.orb().attendant();
  if (attendant == nullptr) {
    outcome = errors::no_thread_left;
    return Next::done;
  }
  ServingWait wait(reactor, *attendant);
  if (!wait.here()) return run(outcome, look);
  attendant->end_those_due();
  Link link;
  outcome = select_link(reference, spec.deadline, spec.rebind, link);
  if (!outcome) return Next::done;
  if (!link.connection) return run_collocated(*link.target, outcome, look);
  look.chosen(link);
  protocol::OutgoingCall call(spec);
  call.may_share = link.may_share;
  outcome = link.connection->begin_unattended(call, wait, *link.target);
  if (!outcome) return not_begun(link, outcome);
  struct Undo {
    protocol::Connection* connection;
    protocol::OutgoingCall& call;
    ~Undo() {
      if (connection != nullptr) connection->end(call);
    }
  } undo{link.connection.get(), call};
  put(*call.arguments);
  if (!call.arguments->good()) {
    outcome = call.arguments->error().with(Completion::no);
    Trail::mine().restart();
    return Next::done;
  }
  outcome = wait.begin();
  if (!outcome) {
    note_failure(reference, link, Step::call, outcome.error());
    return Next::done;
  }
  undo.connection = nullptr;
  outcome = link.connection->start(call);
  if (outcome) {
    const std::uint32_t usual_ms = reference.orb().options().messaging.limits.receive_timeout_ms;
    const Deadline by =
        spec.reply_by.is_never() && usual_ms != 0 ? Deadline::after_ms(usual_ms) : spec.reply_by;
    if (!wait.until_done(by) && link.connection->abandon(call)) {
      outcome = errors::reply_timed_out;
      call.completed = Completion::maybe;
    } else if (call.failure) {
      outcome = call.failure;
    }
  }
  if (!outcome) return failed(call, link, outcome);
  look.reply(call);
  if (call.status > protocol::ReplyStatus::user_exception) return read_reply(call, link, outcome);
  get(call.status, *call.reply);
  return Next::done;
}

Next Attempt::run_collocated(const protocol::Target& target, Status& outcome,
                             FunctionRef<void(const protocol::ServiceContext&)> contexts) const {
  Next next = Next::done;
  Status followed;
  const auto take = [&](protocol::ReplyStatus replied, cdr::Reader& body) {
    if (replied == protocol::ReplyStatus::location_forward ||
        replied == protocol::ReplyStatus::location_forward_perm) {
      next = follow(reference, body, spec.rebind, followed);
    } else {
      get(replied, body);
    }
  };
  std::string said;
  const auto look = [&](const protocol::ServiceContext& context) {
    if (context.id == protocol::exception_detail_context)
      said = protocol::decode_exception_detail(context.data);
    contexts(context);
  };
  outcome = call_collocated(reference.orb(), target, spec, put, take, look);
  if (outcome) outcome = followed;
  if (!outcome)
    note_failure(reference, {.target = &target, .searched = true}, Step::answer, outcome.error(), said);
  return next;
}

/// The same, shown to an observer before and after. With Next::forward, `forward` is set when it is the observer's: others of this
/// reference know nothing of it.
Next Attempt::run_watched(Reference& original, CallObserver& observer, Status& outcome,
                          Ref<Reference>& forward) const {
  using Kind = AttemptEnd::Kind;
  const std::unique_ptr<WatchedAttempt> watched = observer.watch(original, reference, spec);
  Verdict verdict = watched->starting();
  Trail::mine().restart();
  Next next = Next::done;
  if (verdict.goes_on()) {
    CallSpec with_contexts = spec;
    with_contexts.contexts = watched->contexts();
    bool seen = false;
    const auto take = [&](protocol::ReplyStatus status, cdr::Reader& body) {
      seen = true;
      const bool raised = status == protocol::ReplyStatus::user_exception;
      verdict = watched->ended({.kind = raised ? Kind::user_exception : Kind::reply, .body = body});
      if (verdict.goes_on()) get(status, body);
    };
    do {
      next = Attempt{reference, with_contexts, put, take}.run_here(outcome, Watch{*watched});
    } while (next == Next::again);
    if (next == Next::forward) {
      verdict = watched->ended({.kind = Kind::forward, .forward = reference.forwarded()});
    } else if (next == Next::retry) {
      verdict = watched->ended({.kind = Kind::retry});
    } else if (!seen) {
      verdict =
          watched->ended({.kind = outcome ? Kind::sent : Kind::system_exception, .error = outcome.error()});
    }
  }
  if (verdict.error) {
    outcome = verdict.error;
    return Next::done;
  }
  if (verdict.forward) {
    outcome = {};
    forward = std::move(verdict.forward);
    return Next::forward;
  }
  return next;
}

/// A connection that another call has begun on meanwhile is no failure: that call goes on.
Next Attempt::not_begun(const Link& link, Status& outcome) const {
  if (outcome.error() == errors::connection_taken) return Next::again;
  note_failure(reference, link, Step::call, outcome.error());
  // Nothing has been sent. Also a fresh one may have been closed already, to make room.
  return link.connection->usable() ? Next::done : over_another_connection(spec.rebind, outcome);
}

/// A call that was begun and got no reply.
[[gnu::cold]] Next Attempt::failed(const protocol::OutgoingCall& call, const Link& link,
                                   Status& outcome) const {
  outcome = outcome.error().with(call.completed);
  note_failure(reference, link, Step::call, outcome.error());
  const bool stale = call.completed == Completion::no && !link.fresh && !link.connection->usable() &&
                     outcome.error().id != SystemException::timeout;
  return stale ? over_another_connection(spec.rebind, outcome) : Next::done;
}

/// A reply that is the ORB's own business.
Next Attempt::read_reply(protocol::OutgoingCall& call, const Link& link, Status& outcome) const {
  Next next = Next::done;
  switch (call.status) {
    case protocol::ReplyStatus::system_exception:
      outcome = cdr::read_system_exception(*call.reply).error;
      note_failure(reference, link, Step::answer, outcome.error(), said_with(call));
      return Next::done;
    case protocol::ReplyStatus::location_forward:
    case protocol::ReplyStatus::location_forward_perm:
      next = follow(reference, *call.reply, spec.rebind, outcome);
      note_failure(reference, link, Step::forward, outcome.error());
      return next;
    case protocol::ReplyStatus::no_exception:
    case protocol::ReplyStatus::user_exception:
    case protocol::ReplyStatus::needs_addressing_mode: break;
  }
  outcome = address_as_wanted(reference, *link.target, call.wanted_addressing);
  if (outcome) return Next::retry;
  note_failure(reference, link, Step::call, outcome.error());
  return Next::done;
}

/// Every attempt that the standard allows, after a first one that said more than that the call is over. `redirected`: where an
/// observer sent it.
Status go_on(Reference& reference, const Attempt& first, Next next, Status outcome, const ByNumber* numbers,
             Ref<Reference> redirected = nullptr) {
  CallObserver* const observer = reference.orb().call_observer();
  Attempts attempts(reference, first.reference, first.spec.rebind);
  EarlierTries earlier;
  if (redirected) attempts.redirect(std::exchange(redirected, nullptr));
  while (attempts.another(next, outcome)) {
    earlier.keep();
    if (numbers != nullptr) numbers->another();
    const Attempt attempt{attempts.target(), first.spec, first.put, first.get};
    next = observer == nullptr ? attempt.run_here(outcome, AsTold(numbers))
                               : attempt.run_watched(reference, *observer, outcome, redirected);
    if (redirected) attempts.redirect(std::exchange(redirected, nullptr));
  }
  return outcome;
}

/// Of an ORB that is no longer usable, whose calls are observed, or that serves by a single thread.
[[gnu::noinline]] Status invoke_otherwise(Reference& reference, const CallSpec& spec, PutArguments put,
                                          GetReply get, const ByNumber* numbers) {
  Orb& orb = reference.orb();
  if (const Status usable = orb.usable(); !usable) {
    Trail::mine().restart();
    return usable;
  }
  const OrbScope scope(orb);
  if (orb.reactor() != nullptr) orb.sweep_in_time();
  const Ref<Reference> forwarded = reference.forwarded();
  const Attempt attempt{forwarded ? *forwarded : reference, spec, put, get};
  Status outcome;
  Ref<Reference> redirected;
  CallObserver* const observer = orb.call_observer();
  const Next next = observer == nullptr ? attempt.run_here(outcome, AsTold(numbers))
                                        : attempt.run_watched(reference, *observer, outcome, redirected);
  if (next == Next::done && outcome) return outcome;
  return go_on(reference, attempt, next, outcome, numbers, std::move(redirected));
}

template <typename Look>
[[gnu::always_inline]] inline Status invoke_looking(Reference& reference, const CallSpec& spec,
                                                    const PutArguments& put, const GetReply& get,
                                                    const Look& look, const ByNumber* numbers) {
  Orb& orb = reference.orb();
  if (!orb.calls_are_plain()) [[unlikely]]
    return invoke_otherwise(reference, spec, put, get, numbers);
  const OrbScope scope(orb);
  const Ref<Reference> forwarded = reference.forwarded();
  const Attempt attempt{forwarded ? *forwarded : reference, spec, put, get};
  Status outcome;
  const Next next = attempt.run(outcome, look);
  if (next == Next::done && outcome) [[likely]]
    return outcome;
  return go_on(reference, attempt, next, outcome, numbers);
}

}  // namespace

Status invoke(Reference& reference, const CallSpec& spec, PutArguments put, GetReply get) {
  return invoke_looking(reference, spec, put, get, NoWatch{}, nullptr);
}

Status invoke_by_number(Reference& reference, CallSpec& spec, const NumberedName& name, PutArguments put,
                        GetReply get) {
  const ByNumber look(spec, name);
  return invoke_looking(reference, spec, put, get, look, &look);
}

}  // namespace tenon::orb
