// SPDX-License-Identifier: Apache-2.0
#include "orb/client/call_engine.hpp"

#include <string>
#include <utility>

#include "base/memory.hpp"
#include "base/minor_codes.hpp"
#include "cdr/exception_body.hpp"
#include "orb/client/tried.hpp"
#include "orb/orb.hpp"
#include "protocol/exception_detail.hpp"

namespace tenon::orb {

using protocol::ReplyStatus;

CallEngine::Begun CallEngine::begin(Deadline by, protocol::Sink* sink) {
  next_ = Next::done;
  ends_itself_ = false;
  if (number_ != nullptr) spec_.operation = number_->name;
  CallObserver* const observer = orb().call_observer();
  if (observer != nullptr && !observer->begin(*this, sink)) return Begun::no;
  if (sink == nullptr && !link.connection && begin_over_idle_connection()) return Begun::over_connection;
  do {
    call.reset();
    link = {};
    outcome = select_link(target(), by, spec_.rebind, link);
    if (!outcome) return Begun::no;
    if (!link.connection) return Begun::here;
    if (number_ != nullptr && !observed_) go_by_number();
    call.emplace(spec_).may_share = link.may_share;
    outcome = sink == nullptr ? link.connection->begin(*call, *link.target)
                              : link.connection->begin_asynchronous(*call, *sink, *link.target);
    if (outcome) return Begun::over_connection;
  } while (outcome.error() == errors::connection_taken);  // by another call: choose again
  call.reset();
  note(Step::call);
  // Nothing has been sent. Even a fresh connection may have been closed already, to make room for another one.
  if (!link.connection->usable()) retry_over_another_connection();
  return Begun::no;
}

void CallEngine::go_by_number() noexcept {
  const ior::OperationNumbers* offered = link.target->numbers;
  if (offered == nullptr || spec_.rebind != protocol::Rebind::transparent) return;
  const ior::InterfaceNumbers* found = offered->find(number_->interface);
  if (found == nullptr) return;
  const std::uint32_t number = std::uint32_t{found->first} + number_->number;
  if (number > largest_operation_number) return;
  number_text_.write(number, offered->check);
  spec_.operation = number_text_.view();
}

bool CallEngine::arguments_written() {
  if (call->arguments->good()) return true;
  outcome = call->arguments->error().with(Completion::no);
  Trail::mine().restart();
  if (outcome.error() == errors::char_not_in_code_set && link.connection)
    note_bad_char(target(), link, call->arguments->format());
  return false;
}

void CallEngine::failed() {
  outcome = outcome.error().with(call->completed);
  note(Step::call);
  // Only now, since note() looks how long ago the last message went out.
  if (outcome.error().minor == errors::reply_timed_out.minor) link.connection->cancel(*call);
  const bool broke = call->completed == Completion::no && !link.connection->usable() &&
                     outcome.error().id != SystemException::timeout;
  if (!broke) return;
  if (link.fresh) {
    next_ = attempts_.over_another_address(link.target, spec_.rebind, outcome);
  } else {
    retry_over_another_connection();
  }
}

void CallEngine::retry_over_another_connection() { next_ = over_another_connection(spec_.rebind, outcome); }

void CallEngine::replied() {
  if (observed_) orb().call_observer()->replied(*this);
  switch (call->status) {
    case ReplyStatus::no_exception:
    case ReplyStatus::user_exception: return;
    case ReplyStatus::system_exception: {
      outcome = cdr::read_system_exception(*call->reply).error;
      if (memory::is_known()) return note(Step::answer);
      std::string said;
      if (!link.connection) {
        said = here_->said();
      } else if (const protocol::ExceptionDetails* details = protocol::exception_details();
                 details != nullptr && call->reply_contexts) {
        call->reply_contexts->each([&said, details](const protocol::ServiceContext& context) {
          if (context.id == protocol::exception_detail_context) said = details->decode(context.data);
        });
      }
      return note(Step::answer, said);
    }
    case ReplyStatus::location_forward:
    case ReplyStatus::location_forward_perm:
      next_ = follow(target(), *call->reply, spec_.rebind, outcome);
      return note(Step::forward);
    case ReplyStatus::needs_addressing_mode: break;
  }
  outcome = address_as_wanted(target(), *link.target, call->wanted_addressing);
  if (outcome) {
    next_ = Next::retry;
  } else {
    note(Step::call);
  }
}

bool CallEngine::another() {
  if (next_ == Next::done && outcome) return false;
  Ref<Reference> redirected = observed_ ? std::exchange(observed_->redirected, nullptr) : nullptr;
  if (!attempts_.another(next_, spec_.rebind, outcome, std::move(redirected))) return false;
  end();
  return true;
}

void CallEngine::note(Step step, std::string_view said) noexcept {
  note_failure(target(), link, step, outcome.error(), said);
}

}  // namespace tenon::orb
