// SPDX-License-Identifier: Apache-2.0
//
// Asks where an object is, and asks again there, until a server says that it has the object or that there is none.
#include "base/minor_codes.hpp"
#include "orb/client/attempts.hpp"
#include "orb/client/invocation.hpp"
#include "orb/client/link_selector.hpp"
#include "orb/client/tried.hpp"
#include "orb/orb.hpp"

namespace tenon::orb {

namespace {

using protocol::LocateStatus;

/// Within the process, waits end after the usual time for a reply.
Result<LocateStatus> locate_here(Orb& orb, ByteView object_key, Deadline deadline, ior::Ior& forward) {
  const std::uint32_t usual_ms = orb.options().messaging.limits.receive_timeout_ms;
  if (deadline.is_never() && usual_ms != 0) deadline = Deadline::after_ms(usual_ms);
  return orb.locate(object_key, forward, deadline);
}

/// Asks once. If there is no such object, that is an error, as for a call.
Next ask(Attempts& attempts, Deadline deadline, Status& outcome) {
  Reference& reference = attempts.target();
  Link link;
  outcome = select_link(reference, deadline, protocol::Rebind::transparent, link);
  if (!outcome) return Next::done;
  ior::Ior forward;
  const auto located = link.connection
                           ? link.connection->locate(*link.target, deadline, forward)
                           : locate_here(reference.orb(), link.target->object_key, deadline, forward);
  if (!located) {
    outcome = located.error();
    // As for a call: only a connection that broke is worth another try, never what the peer answered.
    const bool broke = link.connection && !link.connection->usable();
    note_failure(reference, link, Step::call, outcome.error());
    // The request has no arguments that could be wrong, so MARSHAL means that the place where the forward leads could not be read.
    if (outcome.error().id == SystemException::marshal) return Next::bad_forward;
    if (!broke || outcome.error().completed != Completion::no ||
        outcome.error().id == SystemException::timeout)
      return Next::done;
    return link.fresh ? attempts.over_another_address(link.target, protocol::Rebind::transparent, outcome)
                      : Next::retry;
  }
  switch (*located) {
    case LocateStatus::object_here: return Next::done;
    case LocateStatus::unknown_object: outcome = errors::not_activated; return Next::done;
    case LocateStatus::object_forward:
    case LocateStatus::object_forward_perm: break;
  }
  outcome = forward.nil() ? Status(errors::bad_reference) : Status();
  if (!outcome) return Next::bad_forward;
  reference.forward_to(std::move(forward));
  return Next::forward;
}

}  // namespace

Result<LocateStatus> locate(Reference& reference, Deadline deadline) {
  if (const Status usable = reference.orb().usable(); !usable) return usable.error();
  Attempts attempts(reference);
  EarlierTries earlier;
  Status outcome;
  Next next = ask(attempts, deadline, outcome);
  while (attempts.another(next, protocol::Rebind::transparent, outcome)) {
    earlier.keep();
    next = ask(attempts, deadline, outcome);
  }
  if (outcome) return LocateStatus::object_here;
  if (outcome.error() == errors::not_activated) return LocateStatus::unknown_object;
  return outcome.error();
}

}  // namespace tenon::orb
