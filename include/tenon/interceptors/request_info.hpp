// SPDX-License-Identifier: Apache-2.0
//
// What an interceptor can see of a call or request (CORBA 3.4 part 1 §16.4). The standard says which function may be called at which
// point: BAD_INV_ORDER (OMG minor 14) at others, and afterwards. arguments, result and exceptions are those of DII and DSI, and of stubs
// and skeletons whose operations have been made known (operation_signature.hpp); for others they raise NO_RESOURCES (OMG minor 1), as the
// standard lets bindings do.
//
// While an interception point runs, the info belongs to its thread.
#pragma once

#include <string>
#include <vector>

#include "tenon/corba/parameter_mode.hpp"
#include "tenon/corba/policy.hpp"
#include "tenon/interceptors/iop.hpp"

namespace tenon::dynamic {
struct RequestState;
struct ClientState;
struct ServerState;
}  // namespace tenon::dynamic

namespace Dynamic {
inline namespace cpp11 {

using CORBA::ParameterMode;

class Parameter {
 public:
  Parameter() = default;
  Parameter(CORBA::Any argument, ParameterMode mode) noexcept : argument_(std::move(argument)), mode_(mode) {}

  const CORBA::Any& argument() const noexcept { return argument_; }
  CORBA::Any& argument() noexcept { return argument_; }
  void argument(CORBA::Any value) noexcept { argument_ = std::move(value); }
  ParameterMode mode() const noexcept { return mode_; }
  ParameterMode& mode() noexcept { return mode_; }
  void mode(ParameterMode value) noexcept { mode_ = value; }

  void swap(Parameter& other) noexcept { std::swap(*this, other); }

 private:
  CORBA::Any argument_;
  ParameterMode mode_ = ParameterMode::PARAM_IN;
};

using ParameterList = std::vector<Parameter>;
using ContextList = std::vector<std::string>;
using ExceptionList = std::vector<CORBA::TypeCodeRef>;
using RequestContext = std::vector<std::string>;

}  // namespace cpp11
}  // namespace Dynamic

namespace tenon::gen {

template <>
struct Codec<Dynamic::Parameter> {
  using value_type = Dynamic::Parameter;
  static constexpr std::size_t smallest = Codec<CORBA::Any>::smallest + Codec<CORBA::ParameterMode>::smallest;
  static void put(cdr::Writer& out, const value_type& value) {
    Codec<CORBA::Any>::put(out, value.argument());
    Codec<CORBA::ParameterMode>::put(out, value.mode());
  }
  static void get(cdr::Reader& in, value_type& value) {
    Codec<CORBA::Any>::get(in, value.argument());
    Codec<CORBA::ParameterMode>::get(in, value.mode());
  }
};

}  // namespace tenon::gen

namespace PortableInterceptor {
inline namespace cpp11 {

using SlotId = std::uint32_t;
using ReplyStatus = std::int16_t;
using ServerId = std::string;
using ORBId = std::string;
using AdapterName = std::vector<std::string>;
using ObjectId = CORBA::OctetSeq;

inline constexpr ReplyStatus SUCCESSFUL = 0;
inline constexpr ReplyStatus SYSTEM_EXCEPTION = 1;
inline constexpr ReplyStatus USER_EXCEPTION = 2;
inline constexpr ReplyStatus LOCATION_FORWARD = 3;
inline constexpr ReplyStatus TRANSPORT_RETRY = 4;
inline constexpr ReplyStatus UNKNOWN = 5;

/// Thrown by an interception point: the call goes to another object.
class ForwardRequest final : public tenon::gen::PlainException {
 public:
  static constexpr std::string_view _static_id = "IDL:omg.org/PortableInterceptor/ForwardRequest:1.0";
  ForwardRequest() noexcept : PlainException(tenon::gen::class_with_members<ForwardRequest>) {}
  explicit ForwardRequest(CORBA::object_reference<CORBA::Object> forward)
      : PlainException(tenon::gen::class_with_members<ForwardRequest>), forward_(std::move(forward)) {}
  const CORBA::object_reference<CORBA::Object>& forward() const noexcept { return forward_; }
  [[noreturn]] void _raise() const override { throw *this; }
  void _put(tenon::cdr::Writer& out) const override {
    tenon::gen::Reference<CORBA::Object>::put(out, forward_);
  }
  void _get(tenon::cdr::Reader& in) { tenon::gen::Reference<CORBA::Object>::get(in, forward_); }
  const char* _members() const noexcept override { return "forward:r"; }

 private:
  CORBA::object_reference<CORBA::Object> forward_;
};

class InvalidSlot final : public tenon::gen::PlainException {
 public:
  InvalidSlot() noexcept : PlainException(tenon::gen::plain_class<InvalidSlot>) {}
  static constexpr std::string_view _static_id = "IDL:omg.org/PortableInterceptor/InvalidSlot:1.0";
};

class RequestInfo : public virtual CORBA::LocalObject {
 public:
  static constexpr std::string_view _static_id = "IDL:omg.org/PortableInterceptor/RequestInfo:1.0";

  /// The same at all points of one attempt; not the id in the message.
  std::uint32_t request_id();
  std::string operation();
  Dynamic::ParameterList arguments();
  Dynamic::ExceptionList exceptions();
  Dynamic::ContextList contexts();
  Dynamic::RequestContext operation_context();
  CORBA::Any result();
  bool response_expected();
  /// A SyncScope of module Messaging: 0 none, 1 with transport, 2 with server, 3 with target.
  std::int16_t sync_scope();
  ReplyStatus reply_status();
  CORBA::object_reference<CORBA::Object> forward_reference();
  /// An empty Any when nothing was put there. InvalidSlot.
  CORBA::Any get_slot(SlotId id);
  /// BAD_PARAM (OMG minor 26) when there is none of that id.
  IOP::ServiceContext get_request_service_context(IOP::ServiceId id);
  IOP::ServiceContext get_reply_service_context(IOP::ServiceId id);

  ~RequestInfo() override;
  /// The call is over: nothing can be asked any more.
  void _over() noexcept { state_ = nullptr; }
  /// The request was taken out of its upcall and has a new state.
  void _go_on(tenon::dynamic::RequestState& state) noexcept { state_ = &state; }

 protected:
  explicit RequestInfo(tenon::dynamic::RequestState& state) noexcept : state_(&state) {}
  /// The state, if one of these points runs now; else raises BAD_INV_ORDER.
  tenon::dynamic::RequestState& at(unsigned points) const;

 private:
  tenon::dynamic::RequestState* state_;
  tenon::gen::OwnId<RequestInfo> own_id_{*this};
};

class ClientRequestInfo final : public RequestInfo {
 public:
  static constexpr std::string_view _static_id = "IDL:omg.org/PortableInterceptor/ClientRequestInfo:1.0";

  /// The object that was called; effective_target(): the one that the call goes to now.
  CORBA::object_reference<CORBA::Object> target();
  CORBA::object_reference<CORBA::Object> effective_target();
  IOP::TaggedProfile effective_profile();
  /// UNKNOWN (OMG minor 1) stands for a user exception whose type only the stub knows; tenon::show_exception_to_interceptors() tells it.
  CORBA::Any received_exception();
  std::string received_exception_id();
  /// BAD_PARAM (OMG minor 28) when the profile has none of that id.
  IOP::TaggedComponent get_effective_component(IOP::ComponentId id);
  IOP::TaggedComponentSeq get_effective_components(IOP::ComponentId id);
  CORBA::object_reference<CORBA::Policy> get_request_policy(CORBA::PolicyType type);
  /// BAD_INV_ORDER (OMG minor 15) when there is one of that id and it is not to be replaced.
  void add_request_service_context(const IOP::ServiceContext& service_context, bool replace);

  explicit ClientRequestInfo(tenon::dynamic::ClientState& state) noexcept;
  static void* operator new(std::size_t size);
  static void operator delete(void* memory);

 private:
  tenon::dynamic::ClientState& client_at(unsigned points) const;
  tenon::gen::OwnId<ClientRequestInfo> own_id_{*this};
};

class ServerRequestInfo final : public RequestInfo {
 public:
  static constexpr std::string_view _static_id = "IDL:omg.org/PortableInterceptor/ServerRequestInfo:1.0";

  /// The exception of the reply, as ClientRequestInfo::received_exception() gives it to the client.
  CORBA::Any sending_exception();
  std::string server_id();
  std::string orb_id();
  /// This and the following raise NO_RESOURCES (OMG minor 1) where no servant was found.
  AdapterName adapter_name();
  CORBA::OctetSeq object_id();
  CORBA::OctetSeq adapter_id();
  std::string target_most_derived_interface();
  bool target_is_a(const std::string& id);
  CORBA::object_reference<CORBA::Policy> get_server_policy(CORBA::PolicyType type);
  void set_slot(SlotId id, const CORBA::Any& data);
  void add_reply_service_context(const IOP::ServiceContext& service_context, bool replace);

  explicit ServerRequestInfo(tenon::dynamic::ServerState& state) noexcept;
  static void* operator new(std::size_t size);
  static void operator delete(void* memory);

 private:
  tenon::dynamic::ServerState& server_at(unsigned points) const;
  tenon::gen::OwnId<ServerRequestInfo> own_id_{*this};
};

}  // namespace cpp11
}  // namespace PortableInterceptor

template <>
struct IDL::traits<PortableInterceptor::RequestInfo>
    : tenon::gen::LocalInterfaceTraits<PortableInterceptor::RequestInfo> {};
template <>
struct IDL::traits<PortableInterceptor::ClientRequestInfo>
    : tenon::gen::LocalInterfaceTraits<PortableInterceptor::ClientRequestInfo> {};
template <>
struct IDL::traits<PortableInterceptor::ServerRequestInfo>
    : tenon::gen::LocalInterfaceTraits<PortableInterceptor::ServerRequestInfo> {};
