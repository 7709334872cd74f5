// SPDX-License-Identifier: Apache-2.0
//
// Shows interceptors the arguments, results and exceptions of stubs and skeletons. These have their values as C++ objects without
// TypeCodes; a program that wants to see them tells an ORB the types. Compiled and interpreted ones stay as they are, and nothing is decoded
// unless an interceptor asks for it.
#pragma once

#include <string>
#include <typeinfo>
#include <vector>

#include "tenon/corba/orb.hpp"
#include "tenon/interceptors/request_info.hpp"

namespace tenon {

struct ParameterSignature {
  Dynamic::ParameterMode mode;
  CORBA::TypeCodeRef type;
};

/// An operation as its IDL says it.
struct OperationSignature {
  std::string name;           ///< as on the wire: "add", "_get_title"
  CORBA::TypeCodeRef result;  ///< nil: void
  std::vector<ParameterSignature> parameters = {};
  std::vector<CORBA::TypeCodeRef> exceptions = {};
};

namespace gen {
void show_operations(const CORBA::ORB& orb, const std::type_info& interface, std::string_view id,
                     const std::vector<OperationSignature>& operations);
}

/// Makes operations of Interface known, inherited ones too, to the interceptors of the ORB: of calls over references of that C++ class, and
/// of requests to servants whose most derived interface it is. Any thread; before the calls that shall be seen. Adds to what is known of
/// the interface already. BAD_PARAM (OMG minor 21) for an exception that is none.
template <typename Interface>
void show_operations_to_interceptors(const CORBA::ORB& orb,
                                     const std::vector<OperationSignature>& operations) {
  gen::show_operations(orb, typeid(Interface), Interface::_static_id, operations);
}

/// The operations of Interface, inherited ones too: defined in foo_any.cpp by tenon-idl --any --signatures.
template <typename Interface>
std::vector<OperationSignature> operation_signatures() = delete;

/// The same with all of them.
template <typename Interface>
void show_operations_to_interceptors(const CORBA::ORB& orb) {
  show_operations_to_interceptors<Interface>(orb, operation_signatures<Interface>());
}

}  // namespace tenon
