// SPDX-License-Identifier: Apache-2.0
#include "orb/invocation.hpp"

#include "base/log.hpp"
#include "base/minor_codes.hpp"
#include "cdr/exception_body.hpp"
#include "orb/collocated.hpp"
#include "orb/link_selector.hpp"
#include "orb/orb.hpp"
#include "orb/serving.hpp"

namespace tenon::orb {

namespace {

/// What one attempt says about the next.
enum class Next : std::uint8_t { done, retry, forward };

/// Ends a call whatever happens, a user exception thrown by GetReply included.
struct Ender {
  protocol::Connection& connection;
  protocol::OutgoingCall& call;
  ~Ender() { connection.end(call); }
};

/// Reads a LOCATION_FORWARD. One that leads to nothing usable is the caller's error.
Status follow(Reference& reference, cdr::Reader& body) {
  ior::Ior forward;
  ior::read_ior(body, forward);
  if (!body.good()) return body.error().with(Completion::no);
  if (forward.nil()) return errors::bad_reference;
  reference.forward_to(reference.orb().reference(std::move(forward)));
  return {};
}

class Attempt {
 public:
  Attempt(Reference& reference, const CallSpec& spec, PutArguments put, GetReply get)
      : reference_(reference), spec_(spec), put_(put), get_(get) {}

  Next run(Status& outcome);

 private:
  Next over(const Link& link, Status& outcome);
  Next read_reply(protocol::OutgoingCall& call, const protocol::Target& target, Status& outcome);

  Reference& reference_;
  const CallSpec& spec_;
  PutArguments put_;
  GetReply get_;
};

Next Attempt::run(Status& outcome) {
  auto link = select_link(reference_, spec_.deadline);
  if (!link) {
    outcome = link.error();
    return Next::done;
  }
  if (!link->collocated) [[likely]]
    return over(*link, outcome);
  protocol::ReplyStatus status{};
  outcome = call_collocated(reference_.orb(), *link->target, spec_, put_,
                            [&](protocol::ReplyStatus replied, cdr::Reader& body) {
                              status = replied;
                              if (replied == protocol::ReplyStatus::location_forward ||
                                  replied == protocol::ReplyStatus::location_forward_perm) {
                                outcome = follow(reference_, body);
                              } else {
                                get_(replied, body);
                              }
                            });
  const bool forward = status == protocol::ReplyStatus::location_forward ||
                       status == protocol::ReplyStatus::location_forward_perm;
  return outcome && forward ? Next::forward : Next::done;
}

Next Attempt::over(const Link& link, Status& outcome) {
  protocol::OutgoingCall call;
  call.operation = spec_.operation;
  call.sync = spec_.sync;
  call.response_expected = spec_.response_expected;
  call.has_arguments = spec_.has_arguments;
  call.deadline = spec_.deadline;
  call.contexts = spec_.contexts;
  outcome = link.connection->begin(call, *link.target);
  if (!outcome) return link.fresh || link.connection->usable() ? Next::done : Next::retry;
  Ender ender{*link.connection, call};
  put_(call.arguments);
  call.arguments.forget_values();
  if (!call.arguments.good()) [[unlikely]] {
    outcome = call.arguments.error().with(Completion::no);
    return Next::done;
  }
  // Whoever waits here keeps the thread that serves its connection; others take over.
  WaitingInUpcall waiting;
  if (spec_.response_expected) outcome = waiting.begin();
  if (!outcome) return Next::done;
  outcome = link.connection->invoke(call);
  if (!outcome) {
    outcome = outcome.error().with(call.completed);
    // Not executed for sure, over a connection that may have been stale: once more over another one (§9.5.1.1).
    const bool may_retry = call.completed == Completion::no && !link.fresh && !link.connection->usable() &&
                           outcome.error().id != SystemException::timeout;
    return may_retry ? Next::retry : Next::done;
  }
  if (!spec_.response_expected) return Next::done;
  return read_reply(call, *link.target, outcome);
}

Next Attempt::read_reply(protocol::OutgoingCall& call, const protocol::Target& target, Status& outcome) {
  switch (call.status) {
    case protocol::ReplyStatus::no_exception:
    case protocol::ReplyStatus::user_exception: get_(call.status, call.reply); return Next::done;
    case protocol::ReplyStatus::system_exception:
      outcome = cdr::read_system_exception(call.reply).error;
      return Next::done;
    case protocol::ReplyStatus::location_forward:
    case protocol::ReplyStatus::location_forward_perm:
      outcome = follow(reference_, call.reply);
      return outcome ? Next::forward : Next::done;
    case protocol::ReplyStatus::needs_addressing_mode: break;
  }
  if (target.addressing == call.wanted_addressing) {
    outcome = errors::bad_reply.with(Completion::no);
    return Next::done;
  }
  Reference::Binding again = *reference_.binding();
  again.target.addressing = call.wanted_addressing;
  reference_.bind(std::move(again));
  return Next::retry;
}

bool worth_asking_original(const Error& error) {
  return error.completed == Completion::no &&
         (error.id == SystemException::transient || error.id == SystemException::comm_failure ||
          error.id == SystemException::object_not_exist);
}

}  // namespace

Status invoke(Reference& reference, const CallSpec& spec, PutArguments put, GetReply get) {
  Orb& orb = reference.orb();
  if (const Status usable = orb.usable(); !usable) [[unlikely]]
    return usable;
  OrbScope scope(orb);
  Ref<Reference> forwarded = reference.forwarded();
  Reference* target = forwarded ? forwarded.get() : &reference;
  unsigned forwards = 0;
  bool asked_again = false;
  // Each of the endpoint's connections may turn out to be stale once; a fresh one ends the attempts.
  unsigned retries = orb.options().connections_per_endpoint + 1;
  while (true) {
    Status outcome;
    switch (Attempt(*target, spec, put, get).run(outcome)) {
      case Next::retry:
        if (retries-- == 0) return outcome;
        continue;
      case Next::forward:
        if (++forwards > orb.options().forwards_most) return errors::too_many_forwards;
        // What we were forwarded to forwards again: the original reference remembers the last place.
        forwarded = target->forwarded();
        if (target != &reference && forwarded) reference.forward_to(forwarded);
        // Another thread may just have found that place dead and forgotten it.
        target = forwarded ? forwarded.get() : &reference;
        continue;
      case Next::done: break;
    }
    if (!outcome && target != &reference && !asked_again && worth_asking_original(outcome.error())) {
      // The place that we were sent to is gone: ask where the object is now (§9.4.3.3), once.
      reference.forget_forward(target);
      target = &reference;
      forwarded = nullptr;
      asked_again = true;
      continue;
    }
    return outcome;
  }
}

Result<protocol::LocateStatus> locate(Reference& reference, Deadline deadline) {
  if (const Status usable = reference.orb().usable(); !usable) return usable.error();
  unsigned retries = reference.orb().options().connections_per_endpoint + 1;
  while (true) {
    auto link = select_link(reference, deadline);
    if (!link) return link.error();
    ior::Ior forward;
    auto located =
        link->collocated
            ? Result<protocol::LocateStatus>(reference.orb().locate(link->target->object_key, forward))
            : link->connection->locate(*link->target, deadline, forward);
    // As for a call: only a connection that was stale is worth another try, never what the peer answered.
    const bool stale = !located && !link->collocated && !link->fresh && !link->connection->usable();
    if (stale && located.error().completed == Completion::no &&
        located.error().id != SystemException::timeout && retries-- != 0)
      continue;
    if (located && !forward.nil()) reference.forward_to(reference.orb().reference(std::move(forward)));
    return located;
  }
}

}  // namespace tenon::orb
