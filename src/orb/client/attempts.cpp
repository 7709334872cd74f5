// SPDX-License-Identifier: Apache-2.0
#include "orb/client/attempts.hpp"

#include "base/memory.hpp"
#include "base/minor_codes.hpp"
#include "orb/client/endpoint.hpp"
#include "orb/client/link_selector.hpp"
#include "orb/orb.hpp"

namespace tenon::orb {

using protocol::Rebind;

namespace {

/// INV_OBJREF stands for a place to which no connection can be made, such as a host name that is not valid; NO_IMPLEMENT for one whose
/// protocol the ORB lacks.
bool worth_asking_original(const Error& error) {
  return error.completed == Completion::no &&
         (error.id == SystemException::transient || error.id == SystemException::comm_failure ||
          error.id == SystemException::object_not_exist || error.id == SystemException::inv_objref ||
          error == errors::no_usable_profile_implemented);
}

}  // namespace

bool Attempts::another(Next next, Rebind rebind, Status& outcome, Ref<Reference> redirected) {
  const Options& options = reference_.orb().options();
  switch (next) {
    case Next::retry:
      // Each of the endpoint's connections may turn out to be stale once; a fresh one ends the attempts.
      return retries_++ <= options.connections_per_endpoint;
    case Next::elsewhere: return true;
    case Next::forward:
      if (rebind != Rebind::transparent) {
        outcome = errors::rebind_refused;
        return false;
      }
      if (++forwards_ > options.forwards_most) {
        outcome = errors::too_many_forwards;
        return false;
      }
      if (redirected) {
        forwarded_ = std::move(redirected);
        apart_ = true;
        return true;
      }
      // The target has been forwarded again, and the original reference remembers where to. Another thread may just have found that place
      // dead and forgotten it.
      redirected = target().forwarded();
      if (forwarded_ && redirected && !apart_) reference_.forward_to(redirected);
      forwarded_ = std::move(redirected);
      return true;
    case Next::done:
      if (outcome || !worth_asking_original(outcome.error())) return false;
      break;
    case Next::bad_forward: break;
  }
  if (!forwarded_ || rebind != Rebind::transparent) return false;
  // The place that a forward led to is gone, or does not know the object: ask once where the object is now (§9.4.3.3).
  reference_.forget_forward(forwarded_.get());
  if (asked_again_) return false;
  forwarded_ = nullptr;
  asked_again_ = true;
  return true;
}

Next Attempts::over_another_address(const protocol::Target* tried, Rebind rebind, Status& outcome) {
  const Reference::Binding* const bound = target().binding();
  if (bound == nullptr || &bound->target != tried || !bound->endpoint) return Next::done;
  bound->endpoint->note_failure();
  if (++refusals_ >= ways_to(target())) return Next::done;
  return rebind == Rebind::no_reconnect ? over_another_connection(rebind, outcome) : Next::elsewhere;
}

Next follow(Reference& reference, cdr::Reader& body, Rebind rebind, Status& outcome) {
  if (rebind != Rebind::transparent) {
    outcome = errors::rebind_refused;
    return Next::done;
  }
  ior::Ior forward;
  ior::read_ior(body, forward);
  outcome = !body.good()    ? Status(body.error().with(Completion::no))
            : forward.nil() ? Status(errors::bad_reference)
                            : Status();
  if (!outcome) return Next::bad_forward;
  reference.forward_to(std::move(forward));
  return Next::forward;
}

Next over_another_connection(Rebind rebind, Status& outcome) {
  if (rebind != Rebind::no_reconnect) return Next::retry;
  outcome = errors::rebind_refused;
  return Next::done;
}

Rebind rebind_now(const Reference& reference, Rebind wanted) noexcept {
  const Ref<Reference> forwarded = reference.forwarded();
  return (forwarded ? *forwarded : reference).binding() == nullptr ? Rebind::transparent : wanted;
}

Status address_as_wanted(Reference& reference, const protocol::Target& target, std::uint16_t wanted) {
  if (target.addressing == wanted) return errors::bad_reply.with(Completion::no);
  Reference::Binding again = *reference.binding();
  again.target.addressing = wanted;
  return reference.bind(std::move(again)) != nullptr ? Status()
                                                     : Status(memory::shortage().with(Completion::no));
}

}  // namespace tenon::orb
