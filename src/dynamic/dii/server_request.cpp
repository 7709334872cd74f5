// SPDX-License-Identifier: Apache-2.0
#include "tenon/dynamic/server_request.hpp"

#include <cxxabi.h>

#include <utility>

#include "base/minor_codes.hpp"
#include "base/operation_number.hpp"
#include "cdr/exception_body.hpp"
#include "dynamic/dii/dynamic_call.hpp"
#include "dynamic/dii/served_values.hpp"
#include "poa/current.hpp"
#include "poa/refuse.hpp"
#include "protocol/reply_error.hpp"

namespace CORBA {
inline namespace cpp11 {

namespace errors = tenon::errors;
namespace types = tenon::types;

namespace {

void reply_user_exception(tenon::gen::Upcall& upcall, tenon::gen::Put put) {
  tenon::protocol::IncomingCall& call = upcall.incoming();
  tenon::cdr::Writer& out = call.begin_reply(tenon::protocol::ReplyStatus::user_exception);
  put(out);
  if (!out.good()) {
    return tenon::poa::refuse(call, tenon::protocol::in_reply(out.error()).with(tenon::Completion::yes));
  }
  // Errors do not matter: they mean that the peer is gone.
  static_cast<void>(call.finish_reply());
}

}  // namespace

// Other operations have been shown to interceptors already.
ServerRequest::ServerRequest(tenon::gen::Upcall& upcall)
    : upcall_(&upcall),
      operation_(upcall.operation()),
      admitted_(tenon::gen::may_be_built_in(upcall.operation())) {}

ServerRequest::~ServerRequest() = default;

void ServerRequest::forget() noexcept {
  state_ = State::over;
  values_ = nullptr;
  upcall_ = nullptr;
}

void ServerRequest::admit() {
  if (std::exchange(admitted_, true) || upcall_->incoming().admit_servant()) return;
  // The caller has its answer; this only ends invoke().
  tenon::gen::raise_with_reason(errors::interceptor_raised, "an interceptor has answered the request");
}

void ServerRequest::arguments(const object_reference<NVList>& parameters) {
  if (state_ != State::fresh) tenon::gen::raise(errors::arguments_called_before);
  if (!parameters) tenon::gen::raise(errors::nil_object);
  state_ = State::arguments_read;
  tenon::cdr::Reader& in = upcall_->arguments();
  for (std::uint32_t i = 0; i < parameters->count(); ++i) {
    const auto item = parameters->item(i);
    if ((item->flags() & ARG_IN) == 0) continue;
    item->value()._value(types::read_value(in, item->value()._value().type(), tenon::gen::passing_on));
  }
  upcall_->arguments_read();
  parameters_ = parameters;
  values_->parameters = parameters;
  admit();
}

void ServerRequest::set_result(const Any& value) {
  if (state_ != State::arguments_read) tenon::gen::raise(errors::result_set_before);
  state_ = State::result_set;
  result_ = value;
  values_->result = &result_;
}

void ServerRequest::set_exception(const Any& value) {
  if (state_ == State::over) tenon::gen::raise(errors::result_set_before);
  if (types::unaliased(*value._value().type()).kind != TCKind::tk_except)
    tenon::gen::raise(errors::not_an_exception);
  admit();
  state_ = State::exception_set;
  result_ = value;
  values_->exception = &result_;
}

void ServerRequest::send_reply() {
  if (state_ == State::exception_set) return send_exception();
  upcall_->reply([this](tenon::cdr::Writer& out) {
    if (state_ == State::result_set) tenon::dynamic::write_argument(out, result_._value());
    if (!parameters_) return;
    for (std::uint32_t i = 0; i < parameters_->count(); ++i) {
      const auto item = parameters_->item(i);
      if ((item->flags() & ARG_OUT) != 0) tenon::dynamic::write_argument(out, item->value()._value());
    }
  });
}

/// A user exception in an Any is its repository id and its members, which is a reply's body as well (GIOP 1.2 §9.4.3.2).
void ServerRequest::send_exception() {
  const types::Any& value = result_._value();
  const std::string_view id = types::unaliased(*value.type()).id;
  if (tenon::system_exception(id) != tenon::SystemException::unknown ||
      id == tenon::repository_id(tenon::SystemException::unknown)) {
    tenon::cdr::Writer body(types::Any::memory_format());
    types::write_value(body, value, tenon::gen::passing_on);
    tenon::cdr::Reader in(body.bytes(), body.format());
    return tenon::poa::refuse(upcall_->incoming(), tenon::cdr::read_system_exception(in).error);
  }
  reply_user_exception(
      *upcall_, [&](tenon::cdr::Writer& out) { types::write_value(out, value, tenon::gen::passing_on); });
}

}  // namespace cpp11
}  // namespace CORBA

namespace PortableServer {
inline namespace cpp11 {

// What it implements, each object says: _implemented().
constinit const tenon::gen::Skeleton DynamicImplementation::_dynamic{
    nullptr, nullptr, nullptr, [](void* self, tenon::gen::Upcall& call, const tenon::gen::Skeleton&) {
      return static_cast<DynamicImplementation*>(self)->_dispatch(call);
    }};

bool DynamicImplementation::_dispatch(tenon::gen::Upcall& call) {
  // Such a number is meant for an earlier servant of the object, whose skeleton knew the operations.
  if (tenon::is_offered_number(call.operation())) return false;
  const auto request = CORBA::make_reference<CORBA::ServerRequest>(call);
  // The servant may keep the request, but not the call.
  struct Ending {
    CORBA::ServerRequest& request;
    ~Ending() { request.forget(); }
  } const ending{*request};
  tenon::dynamic::ServedValues values;
  request->values_ = &values;
  try {
    try {
      invoke(request);
    } catch (const abi::__forced_unwind&) {
      throw;
    } catch (...) {
      request->admit();
      throw;
    }
    request->admit();
    if (!call.incoming().replied()) request->send_reply();
  } catch (const ForwardRequest&) {
    throw;
  } catch (const CORBA::UserException& exception) {
    // There is no raises clause to check, so any user exception of a dynamic servant is sent.
    CORBA::reply_user_exception(call, [&](tenon::cdr::Writer& out) {
      out.put_raw_string(exception._rep_id());
      exception._put(out);
    });
  }
  return true;
}

// Interceptors see the arguments, so _dispatch() lets them in when it has these.
void DynamicImplementation::upcall(tenon::protocol::IncomingCall& incoming) {
  if (tenon::gen::may_be_built_in(incoming.operation)) return Servant::upcall(incoming);
  tenon::gen::Upcall call(incoming, incoming);
  _run_own(call);
}

tenon::poa::Implemented DynamicImplementation::_implemented() const noexcept {
  // Also where there is no memory to say it: a reference without a type id. A client that narrows it asks _is_a.
  constexpr const char* unknown = "\0IDL:omg.org/CORBA/Object:1.0\0";
  try {
    thread_local std::string ids;
    ObjectId oid;
    CORBA::object_reference<POA> poa;
    const tenon::poa::Frame* frame = tenon::poa::current_frame;
    if (frame != nullptr && frame->servant == static_cast<const tenon::poa::Servant*>(this)) {
      oid.assign(frame->id.begin(), frame->id.end());
      poa = tenon::gen::face_of(tenon::Ref<tenon::poa::Poa>(frame->poa));
    }
    ids = _primary_interface(oid, poa);
    ids += '\0';
    ids += CORBA::Object::_static_id;
    ids += '\0';
    return {ids.c_str()};
  } catch (...) {
    return {unknown};
  }
}

bool DynamicImplementation::_is_a(const std::string& logical_type_id) {
  return logical_type_id == CORBA::Object::_static_id || Servant::_is_a(logical_type_id);
}

CORBA::object_reference<CORBA::Object> DynamicImplementation::_this() {
  return tenon::gen::servant_reference<CORBA::Object>(*this);
}

}  // namespace cpp11
}  // namespace PortableServer
