// SPDX-License-Identifier: Apache-2.0
//
// One upcall of a C++ servant: the operations that every object has, the skeleton's own, and what becomes of each kind of
// exception. Nothing that a servant throws goes further than here, except the unwinding of a cancelled thread.
#include "mapping/cpp11/calls/skeleton.hpp"

#include <cxxabi.h>

#include <new>

#include "base/joined.hpp"
#include "base/log.hpp"
#include "base/memory.hpp"
#include "base/minor_codes.hpp"
#include "ior/ior.hpp"
#include "mapping/cpp11/calls/caller_words.hpp"
#include "mapping/cpp11/calls/renumbered.hpp"
#include "mapping/cpp11/corba/new_reference.hpp"
#include "mapping/cpp11/corba/usage.hpp"
#include "orb/orb.hpp"
#include "poa/current.hpp"
#include "poa/refuse.hpp"
#include "poa/root_adapter.hpp"
#include "protocol/reply_error.hpp"
#include "tenon/corba/orb.hpp"
#include "tenon/portable_server/poa.hpp"

namespace tenon::gen {

void Upcall::bad_arguments() { raise(request_.arguments.error().with(Completion::no)); }

bool dispatch_nothing(void*, Upcall&, const Skeleton&) noexcept { return false; }

/// end_results() as an inline function, so that reply() needs no further call.
[[gnu::always_inline]] inline void Upcall::send_results(cdr::Writer& out, std::size_t before) {
  out.forget_values();
  if (counted_for != nullptr) [[unlikely]]
    count_use(Side::server, counted_for, operation(), 0, out.size() - before);
  send(out);
}

void Upcall::reply(Put put) {
  cdr::Writer& out = begin_results();
  const std::size_t before = out.size();
  put(out);
  send_results(out, before);
}

cdr::Writer& Upcall::begin_results() {
  completion_ = Completion::yes;
  return call_.begin_reply(protocol::ReplyStatus::no_exception);
}

void Upcall::end_results(cdr::Writer& out, std::size_t before) { send_results(out, before); }

void Upcall::reply() {
  completion_ = Completion::yes;
  send(call_.begin_reply(protocol::ReplyStatus::no_exception));
}

inline void Upcall::send(cdr::Writer& out) {
  if (!out.good()) [[unlikely]]
    return poa::refuse(call_, protocol::in_reply(out.error()).with(Completion::yes));
  // If the peer is gone, it needs no reply.
  static_cast<void>(call_.finish_reply());
}

void count_upcall(const PortableServer::Servant& servant, Upcall& call) {
  if (!usage_counted()) return;
  call.counted_for = servant._implemented().ids;
  count_use(Side::server, call.counted_for, call.operation(), 1, call.arguments().remaining());
}

constinit std::atomic<decltype(&forward_renumbered)> renumbered{nullptr};

void forward_to(Upcall& call, const CORBA::Object* object) {
  cdr::Writer& out = call.incoming().begin_reply(protocol::ReplyStatus::location_forward);
  put_reference(out, object);
  if (!out.good()) return poa::refuse(call.incoming(), out.error());
  // If the peer is gone, it needs no reply.
  static_cast<void>(call.incoming().finish_reply());
}

namespace {

/// False: it is not one of them.
[[gnu::noinline]] bool run_built_in(PortableServer::Servant& servant, Upcall& call) {
  using poa::BuiltIn;
  const BuiltIn asked = poa::built_in(call.operation());
  bool answer = false;
  CORBA::object_reference<CORBA::Object> object;
  switch (asked) {
    case BuiltIn::is_a: {
      const std::string id(call.arguments().get_raw_string());
      call.arguments_read();
      answer = servant._is_a(id);
      break;
    }
    case BuiltIn::non_existent:
    case BuiltIn::not_existent: answer = servant._non_existent(); break;
    case BuiltIn::repository_id: break;
    case BuiltIn::component: object = servant._get_component(); break;
    case BuiltIn::interface: object = servant._get_interface(); break;
    case BuiltIn::domain_managers: poa::refuse(call.incoming(), errors::no_domain_managers); return true;
    case BuiltIn::none: return false;
  }
  call.reply([&](cdr::Writer& out) {
    if (asked < BuiltIn::repository_id) return out.put(answer);
    if (asked > BuiltIn::repository_id) return put_reference(out, object.get());
    out.put_raw_string(servant._most_derived_id());
  });
  return true;
}

/// Called before an upcall that is counted or observed. False: it has been replied to.
[[gnu::noinline]] bool admit_watched(const PortableServer::Servant& servant, Upcall& call) {
  count_upcall(servant, call);
  return call.incoming().admit_servant();
}

/// Warns of what an operation did, which its caller may not learn.
[[gnu::noinline]] void warn(Upcall& call, std::string_view did, std::string_view what) {
  if (!log_enabled(LogLevel::warning)) return;
  const std::string by = &caller_words != nullptr ? caller_words(call.incoming()) : "";
  log(LogLevel::warning, "orb", worded("operation '%%%%", {call.operation(), did, what, by}));
}

/// Replies with the exception if the operation may raise it. False: it may not, and there is no reply.
bool reply_with_listed(Upcall& call, const CORBA::UserException& exception) {
  const std::string_view id = exception._rep_id();
  for (std::size_t i = 0; i < call.raises.size(); ++i) {
    if (call.raises[i].id != id) continue;
    cdr::Writer& out = call.incoming().begin_reply(protocol::ReplyStatus::user_exception);
    out.put_raw_string(id);
    exception._put(out);
    out.forget_values();
    if (!out.good()) {
      poa::refuse(call.incoming(), protocol::in_reply(out.error()).with(Completion::yes));
    } else {
      static_cast<void>(call.incoming().finish_reply());
    }
    return true;
  }
  return false;
}

[[gnu::noinline]] void no_operation(PortableServer::Servant& servant, Upcall& call) {
  const auto forward = renumbered.load(std::memory_order_acquire);
  if (forward == nullptr || !forward(servant, call)) poa::refuse(call.incoming(), errors::unknown_operation);
}

/// Called inside a catch block: what was caught there; null if it is no standard exception. Lives as long as that block runs.
const std::exception* caught_exception() noexcept {
  try {
    throw;
  } catch (
      const CORBA::Exception& exception) {  // one that has std::exception twice is none for the next clause
    return &exception;
  } catch (const std::exception& exception) {
    return &exception;
  } catch (...) {
    return nullptr;
  }
}

/// An exception as data, whatever it is.
Error error_of(const std::exception* exception, const Upcall& call) noexcept {
  if (const auto* const system = dynamic_cast<const CORBA::SystemException*>(exception))
    return system->_error();
  const bool memory_is_short = dynamic_cast<const std::bad_alloc*>(exception) != nullptr;
  return (memory_is_short ? errors::out_of_memory : errors::foreign_exception).with(call.completion());
}

/// Replies with an exception. What code of its members throws meanwhile passes.
void reply_with(Upcall& call, const std::exception* exception) {
  const auto* const user = dynamic_cast<const CORBA::UserException*>(exception);
  if (user != nullptr &&
      ((&reply_with_forward != nullptr && reply_with_forward(call, *user)) || reply_with_listed(call, *user)))
    return;
  const bool of_system = dynamic_cast<const CORBA::SystemException*>(exception) != nullptr;
  const Error error =
      user != nullptr ? errors::unlisted_user_exception.with(Completion::maybe) : error_of(exception, call);
  // The text of a system exception is made when it is asked for, on the heap; where memory is known, none is sent.
  const bool has_text =
      exception != nullptr && (of_system ? !memory::is_known() : error.id != SystemException::no_memory);
  const std::string_view text = has_text ? exception->what() : "";
  // The caller usually learns only that there was an exception.
  if (has_text && !of_system)
    warn(call, user != nullptr ? "' raised what its IDL does not say that it raises: " : "' threw: ", text);
  poa::refuse(call.incoming(), error, text);
}

/// Called inside a catch block: replies with the exception that was caught, unless a reply has been sent already. Nothing passes.
void reply_with_current_exception(Upcall& call) noexcept {
  if (call.incoming().replied()) return;
  try {
    reply_with(call, caught_exception());
  } catch (...) {
    poa::refuse(call.incoming(), error_of(caught_exception(), call));
  }
}

}  // namespace
}  // namespace tenon::gen

namespace PortableServer {
inline namespace cpp11 {

void Servant::upcall(tenon::protocol::IncomingCall& incoming) {
  tenon::gen::Upcall call(incoming, incoming);
  try {
    if (tenon::gen::upcalls_watched.load(std::memory_order_relaxed) != 0) [[unlikely]] {
      if (!tenon::gen::admit_watched(*this, call)) return;
    }
    if (tenon::gen::may_be_built_in(incoming.operation) && tenon::gen::run_built_in(*this, call)) return;
    if (!_served_by->dispatch(_self, call, *_served_by)) tenon::gen::no_operation(*this, call);
  } catch (const abi::__forced_unwind&) {
    throw;
  } catch (...) {
    tenon::gen::reply_with_current_exception(call);
  }
}

void Servant::_run_own(tenon::gen::Upcall& call) {
  try {
    tenon::gen::count_upcall(*this, call);
    if (!_served_by->dispatch(_self, call, *_served_by)) tenon::gen::no_operation(*this, call);
  } catch (const abi::__forced_unwind&) {
    throw;
  } catch (...) {
    tenon::gen::reply_with_current_exception(call);
  }
}

tenon::gen::Implemented Servant::_implemented() const noexcept {
  const tenon::gen::Skeleton* numbered = _served_by;
  while (numbered->numbering == nullptr && numbered->heir_of != nullptr) numbered = numbered->heir_of;
  return {_served_by->ids, numbered->numbering};
}

bool Servant::_non_existent() { return false; }
void Servant::_hold() noexcept { _add_ref(); }
void Servant::_drop() noexcept { _remove_ref(); }

bool Servant::_is_a(const std::string& logical_type_id) {
  return tenon::gen::is_one_of(logical_type_id, _implemented().ids);
}

CORBA::object_reference<CORBA::Object> Servant::_get_interface() {
  return tenon::gen::interface_def(_most_derived_id());
}

CORBA::object_reference<CORBA::Object> Servant::_get_component() { return nullptr; }

CORBA::object_reference<POA> Servant::_default_POA() {
  return tenon::gen::default_poa != nullptr ? tenon::gen::default_poa() : nullptr;
}

}  // namespace cpp11
}  // namespace PortableServer

namespace tenon::gen {

namespace {

/// Numbers are only offered if this servant's skeleton is the first to see them: not if interceptors, locators or counting see requests
/// first, nor for persistent objects, since a later process may have these.
bool may_be_numbered(const orb::Orb& orb, const poa::Policies& policies) noexcept {
  return !policies.persistent() && !policies.has_locator() && !orb.requests_are_observed() &&
         !usage_counted();
}

}  // namespace

Ref<orb::Reference> servant_reference(orb::Orb& orb, const poa::Poa& poa,
                                      const PortableServer::Servant& servant, const poa::Octets& key) {
  const poa::Implemented what = servant._implemented();
  if (what.numbering == nullptr || !may_be_numbered(orb, poa.policies()))
    return new_reference(orb, poa, what.ids, key);
  const orb::ExtraComponent numbers{
      std::nullopt, ior::operation_numbers_component(what.numbering->check, what.numbering->interfaces)};
  return new_reference(orb, poa, what.ids, key, &numbers);
}

}  // namespace tenon::gen
