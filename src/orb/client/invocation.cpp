// SPDX-License-Identifier: Apache-2.0
#include "orb/client/invocation.hpp"

#include "base/minor_codes.hpp"
#include "orb/threads/attendant.hpp"

namespace tenon::orb {

/// The ORB is no longer usable, its calls are observed, it serves by a single thread, there is no connection that is known to be idle, or
/// the heap may have nothing left.
cdr::Writer* OctetInvocation::begin_unusual() {
  if (memory::is_exhausted()) {
    Trail::mine().restart();
    engine_.outcome = memory::shortage();
    return nullptr;
  }
  unusual_.emplace();
  Orb& orb = engine_.orb();
  if (orb.calls_are_plain()) {
    if (engine_.begin_here_again()) return &orb.collocation()->begin(unusual_->here).request();
  } else {
    engine_.outcome = orb.usable();
    if (!engine_.outcome) {
      Trail::mine().restart();
      return nullptr;
    }
    if (orb.reactor() != nullptr) orb.sweep_in_time();
  }
  cdr::Writer* const arguments = begin_attempt();
  return arguments != nullptr ? arguments : another();
}

/// Null: the attempt is over.
cdr::Writer* OctetInvocation::begin_attempt() {
  unusual_->here.reset();
  unusual_->wait.reset();
  Orb& orb = engine_.orb();
  Reactor* const reactor = orb.reactor();
  if (reactor != nullptr && spec_.response_expected && reactor->serves_here() && !prepare_to_serve())
    return nullptr;
  switch (engine_.begin(spec_.deadline, unusual_->wait.get())) {
    case CallEngine::Begun::no: break;
    case CallEngine::Begun::over_connection: return engine_.call->arguments;
    case CallEngine::Begun::here: return &orb.collocation()->begin(unusual_->here).request();
  }
  return nullptr;
}

bool OctetInvocation::prepare_to_serve() {
  Attendant* const attendant = engine_.orb().attendant();
  if (attendant == nullptr) {
    engine_.outcome = errors::no_thread_left;
    return false;
  }
  static_cast<void>(attendant->make_wait(unusual_->wait));
  return true;
}

/// After the arguments have been written: whether this thread now sends and blocks. False: the attempt is over.
bool OctetInvocation::goes_over_connection() {
  if (unusual_->here) {
    if (engine_.run_here(*unusual_->here) && !engine_.has_plain_reply()) engine_.replied();
    return false;
  }
  if (!engine_.arguments_written()) return false;
  if (!unusual_->wait) return true;
  unusual_->wait->send_and_serve(engine_, spec_);
  return false;
}

cdr::Writer* OctetInvocation::after_attempt() {
  if (engine_.outcome) {
    engine_.replied();
  } else if (engine_.arguments_written()) {
    engine_.failed();
  }
  return another();
}

/// After an attempt: begins another one, if there shall be one. Null: the call is over.
cdr::Writer* OctetInvocation::another() {
  if (engine_.outcome && engine_.call && engine_.has_plain_reply()) return nullptr;
  return another_attempt();
}

/// Apart from another(), so that a collocated call that is over saves no registers for what it does not do.
[[gnu::noinline]] cdr::Writer* OctetInvocation::another_attempt() {
  while (true) {
    if (engine_.take_untold()) engine_.tell_observer();
    if (!engine_.another()) break;
    if (!unusual_) unusual_.emplace();
    unusual_->tried.append(Trail::mine().take());
    if (cdr::Writer* const arguments = begin_attempt()) return arguments;
  }
  if (!engine_.outcome && unusual_ && !unusual_->tried.empty()) {
    unusual_->tried.append(Trail::mine().take());
    Trail::mine() = unusual_->tried.take();
  }
  return nullptr;
}

}  // namespace tenon::orb
