// SPDX-License-Identifier: Apache-2.0
//
// Servants that take any operation (DSI, CORBA 3.4 part 1 §12): ServerRequest and DynamicImplementation.
//
//   void invoke(CORBA::object_reference<CORBA::ServerRequest> request) override {
//     auto arguments = CORBA::make_reference<CORBA::NVList>();
//     arguments->add_type("a", CORBA::_tc_long, CORBA::ARG_IN);  // all parameters, in the order of the signature
//     request->arguments(arguments);                             // reads in and inout
//     ...
//     request->set_result(sum);
//   }
//
// The reply is sent when invoke() has returned. Servants are called from any thread, as others are; a ServerRequest belongs to
// the thread that serves it.
#pragma once

#include "mapping/cpp11/calls/skeleton.hpp"
#include "tenon/dynamic/named_value.hpp"
#include "tenon/portable_server/poa.hpp"

namespace tenon::dynamic {
class ServedValues;
}
namespace PortableServer {
inline namespace cpp11 {
class DynamicImplementation;
}
}  // namespace PortableServer

namespace CORBA {
inline namespace cpp11 {

class ServerRequest final : public LocalObject {
 public:
  static constexpr std::string_view _static_id = "IDL:omg.org/CORBA/ServerRequest:1.0";

  explicit ServerRequest(tenon::gen::Upcall& upcall);
  ~ServerRequest() override;

  const Identifier& operation() const noexcept { return operation_; }
  /// Sets the types of all parameters, and gets the values of in and inout ones. To be called once, also for operations without
  /// parameters. MARSHAL when the request does not hold such values. What out and inout items hold when invoke() returns is sent back.
  void arguments(const object_reference<NVList>& parameters);
  /// To be called once, after arguments(), with a value of the result's type; not for void.
  void set_result(const Any& value);
  /// Replies with an exception, user or system, instead of results. BAD_PARAM (minor OMG 21) unless `value` is one.
  void set_exception(const Any& value);

 private:
  friend class PortableServer::DynamicImplementation;
  enum class State : std::uint8_t { fresh, arguments_read, result_set, exception_set, over };

  /// Lets interceptors see the request, once: when its arguments have been read, or the servant has said that it needs none.
  void admit();
  /// Called after invoke().
  void send_reply();
  void send_exception();
  void forget() noexcept;

  tenon::gen::Upcall* upcall_;
  const Identifier operation_;
  State state_ = State::fresh;
  tenon::dynamic::ServedValues* values_ = nullptr;  // of this request, for interceptors; during invoke()
  bool admitted_;
  object_reference<NVList> parameters_;
  Any result_;
  tenon::gen::OwnId<ServerRequest> own_id_{*this};
};

}  // namespace cpp11
}  // namespace CORBA

template <>
struct IDL::traits<CORBA::ServerRequest> : tenon::gen::LocalInterfaceTraits<CORBA::ServerRequest> {};

namespace PortableServer {
inline namespace cpp11 {

/// Base of dynamic servants. What invoke() throws is the reply, user exceptions of any type included.
class DynamicImplementation : public Servant {
 public:
  virtual void invoke(CORBA::object_reference<CORBA::ServerRequest> request) = 0;
  /// Repository id of the object's most derived interface. Outside an upcall the id may be empty and the POA nil.
  virtual std::string _primary_interface(const ObjectId& oid,
                                         const CORBA::object_reference<POA>& poa) const = 0;

  /// Whether that is _primary_interface() or Object; override it to name base interfaces too.
  bool _is_a(const std::string& logical_type_id) override;
  /// As in generated skeletons: the object's reference; activates the servant if its POA's policies allow it.
  CORBA::object_reference<CORBA::Object> _this();

  // --- the ORB's own ---
  using _interface = DynamicImplementation;
  void upcall(tenon::protocol::IncomingCall& call) final;
  tenon::poa::Implemented _implemented() const noexcept final;

 protected:
  DynamicImplementation() noexcept { _serve(_dynamic, this); }

 private:
  static const tenon::gen::Skeleton _dynamic;
  bool _dispatch(tenon::gen::Upcall& call);
};

}  // namespace cpp11
}  // namespace PortableServer
