// SPDX-License-Identifier: Apache-2.0
#include "tenon/dynamic/request.hpp"

#include "base/minor_codes.hpp"
#include "dynamic/dii/deferred.hpp"
#include "dynamic/dii/dynamic_call.hpp"
#include "mapping/cpp11/corba/protocol_policies.hpp"
#include "orb/orb.hpp"
#include "tenon/corba/call_policies.hpp"

namespace CORBA {
inline namespace cpp11 {

namespace dynamic = tenon::dynamic;
namespace errors = tenon::errors;

namespace {

template <typename T>
object_reference<T> or_new(object_reference<T> given) {
  return given ? std::move(given) : make_reference<T>();
}

}  // namespace

UnknownUserException::UnknownUserException(Any exception) : exception_(std::move(exception)) {
  constexpr std::size_t longest = 1000;
  const tenon::types::Any& value = exception_._value();
  text_ = std::string(_static_id) + ": " + std::string(value.type()->id) + ' ' + tenon::types::text(value);
  if (text_.size() > longest) text_.replace(longest, std::string::npos, "...");
}

Request::Request(object_reference<Object> target, Identifier operation, object_reference<NVList> arguments,
                 object_reference<NamedValue> result, object_reference<ExceptionList> exceptions)
    : target_(std::move(target)),
      operation_(std::move(operation)),
      arguments_(or_new(std::move(arguments))),
      result_(result ? std::move(result) : make_reference<NamedValue>("", Any(), ARG_OUT)),
      exceptions_(or_new(std::move(exceptions))) {}

Request::~Request() = default;

Any& Request::add_in_arg(const Identifier& name) { return arguments_->add_item(name, ARG_IN)->value(); }
Any& Request::add_inout_arg(const Identifier& name) { return arguments_->add_item(name, ARG_INOUT)->value(); }
Any& Request::add_out_arg(const Identifier& name) { return arguments_->add_item(name, ARG_OUT)->value(); }

Any& Request::add_out_arg(const Identifier& name, const TypeCodeRef& type) {
  return arguments_->add_type(name, type, ARG_OUT)->value();
}

void Request::set_return_type(const TypeCodeRef& type) { result_->value() = dynamic::only_type(type); }

Any& Request::return_value() { return result_->value(); }

/// Makes the call from the present data of the request.
void Request::prepare(bool oneway) {
  if (state_ != State::fresh) tenon::gen::raise(errors::request_sent_before);
  if (!target_->_reference()) tenon::gen::raise(errors::dii_on_local_object);
  auto call = tenon::make_ref<dynamic::DynamicCall>();
  call->target = tenon::Ref(&tenon::gen::reference_for_call(*target_->_reference()));
  call->operation = operation_;
  call->oneway = oneway;
  call->spec.response_expected = !oneway;
  call->spec.sync = oneway ? tenon::protocol::Sync::with_transport : tenon::protocol::Sync::with_target;
  tenon::gen::apply_policies(*target_, call->spec);
  for (std::uint32_t i = 0; i < arguments_->count(); ++i) {
    const auto item = arguments_->item(i);
    const TCKind kind = item->value()._value().type()->kind;
    if (kind == TCKind::tk_null || kind == TCKind::tk_void)
      tenon::gen::raise(errors::incomplete_typecode_parameter);
    call->arguments.push_back({item->value()._value(), static_cast<dynamic::Direction>(item->flags())});
  }
  const tenon::types::TypeRef& type = result_->value()._value().type();
  const bool nothing = type->kind == TCKind::tk_null || type->kind == TCKind::tk_void;
  if (!nothing) call->result_type = type;
  for (std::uint32_t i = 0; i < exceptions_->count(); ++i) {
    call->exceptions.push_back(exceptions_->item(i)->_type());
  }
  call_ = std::move(call);
}

void Request::raise_failure() const {
  switch (call_->outcome) {
    case dynamic::Outcome::none:
    case dynamic::Outcome::failed: tenon::gen::raise_with_trail(call_->failure, tenon::Trail(call_->trail));
    case dynamic::Outcome::user_exception: {
      Any exception;
      exception._value(call_->exception);
      throw UnknownUserException(std::move(exception));
    }
    case dynamic::Outcome::returned: return;
  }
}

/// Puts what the call returned where the caller looks for it.
void Request::take_results() {
  if (call_->outcome != dynamic::Outcome::returned) return;
  if (call_->result_type) result_->value()._value(std::move(call_->result));
  for (std::uint32_t i = 0; i < call_->arguments.size() && i < arguments_->count(); ++i) {
    dynamic::Argument& argument = call_->arguments[i];
    if (travels_out(argument.direction)) arguments_->item(i)->value()._value(std::move(argument.value));
  }
}

void Request::invoke() {
  prepare(false);
  state_ = State::synchronous;
  call_->run();
  raise_failure();
  take_results();
}

void Request::send_oneway() {
  prepare(true);
  state_ = State::oneway;
  call_->run();
  raise_failure();
  take_results();
}

void Request::send_deferred() {
  if (!target_->_reference()) tenon::gen::raise(errors::dii_on_local_object);
  _send_deferred(dynamic::Deferred::of(target_->_reference()->orb()));
}

void Request::_send_deferred(std::shared_ptr<dynamic::Deferred> deferred) {
  prepare(false);
  if (!deferred) tenon::gen::raise(errors::orb_destroyed);
  const tenon::Status started = deferred->start(call_);
  if (!started) tenon::gen::raise(started.error());
  deferred_ = std::move(deferred);
  state_ = State::deferred;
}

void Request::check_deferred() const {
  switch (state_) {
    case State::fresh: tenon::gen::raise(errors::request_not_sent);
    case State::synchronous: tenon::gen::raise(errors::request_was_synchronous);
    case State::oneway: tenon::gen::raise(errors::oneway_has_no_response);
    case State::received: tenon::gen::raise(errors::response_received);
    case State::deferred:
    case State::collected: return;
  }
}

void Request::get_response() {
  check_deferred();
  if (state_ == State::deferred) {
    deferred_->wait(*call_);
    take_results();
  }
  state_ = State::received;
  raise_failure();
}

bool Request::poll_response() {
  check_deferred();
  return state_ == State::collected || deferred_->done(*call_);
}

void Request::_collect() {
  take_results();
  state_ = State::collected;
}

// --- functions of other classes that make or take requests ---

object_reference<Request> Object::_request(const std::string& operation) {
  return make_reference<Request>(object_reference<Object>(this), operation, nullptr, nullptr, nullptr);
}

void Object::_create_request(const std::string& operation, const object_reference<NVList>& arg_list,
                             object_reference<NamedValue>& result, object_reference<Request>& request,
                             std::uint32_t req_flags) {
  _create_request(operation, arg_list, result, nullptr, request, req_flags);
}

void Object::_create_request(const std::string& operation, const object_reference<NVList>& arg_list,
                             object_reference<NamedValue>& result,
                             const object_reference<ExceptionList>& exclist,
                             object_reference<Request>& request, std::uint32_t) {
  request = make_reference<Request>(object_reference<Object>(this), operation, arg_list, result, exclist);
  result = request->result();
}

}  // namespace cpp11
}  // namespace CORBA
