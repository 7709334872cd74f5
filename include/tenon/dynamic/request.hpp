// SPDX-License-Identifier: Apache-2.0
//
// CORBA::Request: a call that is put together at run time (DII, CORBA 3.4 part 1 §11.2).
//
//   auto request = object->_request("add");
//   request->add_in_arg("a") <<= 2;
//   request->add_in_arg("b") <<= 40;
//   request->set_return_type(CORBA::_tc_long);
//   request->invoke();
//   request->return_value() >>= sum;
//
// There is no Environment in IDL to C++11: system exceptions are thrown, and a user exception that the exception list names as
// UnknownUserException. A request is sent once, with the policies that a stub's call would have. One thread at a time per object, also
// while a deferred call runs, which has copies of its own.
#pragma once

#include <memory>

#include "tenon/corba/orb.hpp"
#include "tenon/dynamic/named_value.hpp"

namespace tenon::dynamic {
class Deferred;
class DynamicCall;
}  // namespace tenon::dynamic

namespace CORBA {
inline namespace cpp11 {

/// A user exception of which the caller knows the TypeCode only.
class UnknownUserException final : public UserException {
 public:
  static constexpr std::string_view _static_id = "IDL:omg.org/CORBA/UnknownUserException:1.0";

  explicit UnknownUserException(Any exception);
  /// What was raised; any >>= MyException works where the program knows it.
  const Any& exception() const noexcept { return exception_; }

  std::string_view _rep_id() const noexcept override { return _static_id; }
  std::string_view _name() const noexcept override { return "UnknownUserException"; }
  [[noreturn]] void _raise() const override { throw *this; }
  void _put(tenon::cdr::Writer&) const override {}
  /// Names the exception and its members.
  const char* what() const noexcept override { return text_.c_str(); }

 private:
  Any exception_;
  std::string text_;
};

/// A response belongs to another transaction than the thread that asks for it (§11.3.3). This ORB has no transactions, and does not raise it.
class WrongTransaction final : public tenon::gen::PlainException {
 public:
  WrongTransaction() noexcept : PlainException(tenon::gen::plain_class<WrongTransaction>) {}
  explicit WrongTransaction(std::string_view why)
      : PlainException(tenon::gen::plain_class<WrongTransaction>, why) {}
  static constexpr std::string_view _static_id = "IDL:omg.org/CORBA/WrongTransaction:1.0";
};

class Request final : public LocalObject {
 public:
  static constexpr std::string_view _static_id = "IDL:omg.org/CORBA/Request:1.0";

  /// Called by Object::_request() and Object::_create_request(). Null lists count as empty ones.
  Request(object_reference<Object> target, Identifier operation, object_reference<NVList> arguments,
          object_reference<NamedValue> result, object_reference<ExceptionList> exceptions);
  ~Request() override;

  object_reference<Object> target() const { return target_; }
  const Identifier& operation() const noexcept { return operation_; }
  /// In the order of the operation's signature. Out parameters hold a value of their type, which says the type.
  object_reference<NVList> arguments() const { return arguments_; }
  object_reference<NamedValue> result() const { return result_; }
  object_reference<ExceptionList> exceptions() const { return exceptions_; }

  // --- short forms; the references that they return are valid as long as the request ---
  Any& add_in_arg(const Identifier& name = {});
  Any& add_inout_arg(const Identifier& name = {});
  Any& add_out_arg(const Identifier& name = {});
  /// The same with the type alone.
  Any& add_out_arg(const Identifier& name, const TypeCodeRef& type);
  void set_return_type(const TypeCodeRef& type);
  Any& return_value();

  // --- sending. BAD_INV_ORDER (minor OMG 10) when it was sent before; NO_IMPLEMENT (minor OMG 4) for a local object ---
  /// Calls and waits. Afterwards result and arguments have what was returned.
  void invoke();
  void send_oneway();
  /// Sends, connecting if necessary, and does not wait for the reply. The call's time-out starts now.
  void send_deferred();
  /// Waits for a deferred call and takes its results, or raises what the call raised. After ORB::get_next_response(), which has
  /// taken the results, it only raises.
  void get_response();
  /// Whether get_response() would not wait.
  bool poll_response();

  // --- the ORB's own ---
  const tenon::Ref<tenon::dynamic::DynamicCall>& _call() const noexcept { return call_; }
  /// The same, with the deferred requests of the given ORB, which need not be the target's.
  void _send_deferred(std::shared_ptr<tenon::dynamic::Deferred> deferred);
  /// True: the request was sent deferred, and its results have not been asked for yet.
  bool _awaited() const noexcept { return state_ == State::deferred; }
  /// What get_next_response() does with a request that is done.
  void _collect();

 private:
  enum class State : std::uint8_t { fresh, synchronous, oneway, deferred, collected, received };

  void prepare(bool oneway);
  void take_results();
  void raise_failure() const;
  void check_deferred() const;

  const object_reference<Object> target_;
  const Identifier operation_;
  const object_reference<NVList> arguments_;
  const object_reference<NamedValue> result_;
  const object_reference<ExceptionList> exceptions_;
  TypeCodeRef return_type_;
  State state_ = State::fresh;
  tenon::Ref<tenon::dynamic::DynamicCall> call_;
  std::shared_ptr<tenon::dynamic::Deferred> deferred_;
  tenon::gen::OwnId<Request> own_id_{*this};
};

using RequestSeq = std::vector<object_reference<Request>>;

}  // namespace cpp11
}  // namespace CORBA

template <>
struct IDL::traits<CORBA::Request> : tenon::gen::LocalInterfaceTraits<CORBA::Request> {};
