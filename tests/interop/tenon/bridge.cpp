// SPDX-License-Identifier: Apache-2.0
//
// A dynamic servant before the compiled one: takes every request by DSI, with types from echo.idl, and passes it on by DII. A client
// must not notice it, whatever the type.
//
// Threads: the ORB's, several at a time; the signatures never change.

#include <cstdio>
#include <map>
#include <tenon/dynamic.hpp>

#include "tests/interop/tenon/front.hpp"
#include "tools/call/idl_file.hpp"

namespace {

using ObjectRef = CORBA::object_reference<CORBA::Object>;
using tenon::call::Signature;

class Bridge final : public PortableServer::DynamicImplementation {
 public:
  explicit Bridge(ObjectRef target) : target_(std::move(target)) {
    tenon::call::IdlFile idl(TENON_ECHO_IDL, {});
    for (Signature& each : idl.signatures(*idl.interface("Interop::Echo"))) {
      const std::string name = each.operation;
      signatures_.emplace(name, std::move(each));
    }
  }

  void invoke(CORBA::object_reference<CORBA::ServerRequest> request) override {
    const auto found = signatures_.find(request->operation());
    if (found == signatures_.end()) throw CORBA::BAD_OPERATION();
    const Signature& signature = found->second;
    const auto arguments = CORBA::make_reference<CORBA::NVList>();
    for (const auto& each : signature.parameters) {
      const CORBA::Flags flags[] = {CORBA::ARG_IN, CORBA::ARG_OUT, CORBA::ARG_INOUT};
      arguments->add_type(each.name, CORBA::TypeCodeRef(each.type), flags[static_cast<int>(each.direction)]);
    }
    request->arguments(arguments);
    auto result = CORBA::make_reference<CORBA::NVList>()->add_type("", CORBA::TypeCodeRef(signature.result),
                                                                   CORBA::ARG_OUT);
    const auto exceptions = CORBA::make_reference<CORBA::ExceptionList>();
    for (const auto& each : signature.exceptions) exceptions->add(CORBA::TypeCodeRef(each));
    CORBA::object_reference<CORBA::Request> onward;
    target_->_create_request(signature.operation, arguments, result, exceptions, onward, 0);
    try {
      if (signature.oneway) return onward->send_oneway();
      onward->send_deferred();
      onward->get_response();
    } catch (const CORBA::UnknownUserException& raised) {
      return request->set_exception(raised.exception());
    }
    if (signature.result->kind != tenon::types::Kind::tk_void) request->set_result(result->value());
  }

  std::string _primary_interface(const PortableServer::ObjectId&,
                                 const CORBA::object_reference<PortableServer::POA>&) const override {
    return std::string(target_->_reference()->type_id());
  }
  bool _is_a(const std::string& logical_type_id) override { return target_->_is_a(logical_type_id); }

 private:
  const ObjectRef target_;
  std::map<std::string, Signature> signatures_;
};

}  // namespace

ObjectRef front_of(const ObjectRef& echo) { return CORBA::make_reference<Bridge>(echo)->_this(); }
