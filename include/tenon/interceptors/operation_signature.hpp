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

/// The operations of Interface, inherited ones too: defined in foo_any.cpp by tenon-idl --any --signatures.
template <typename Interface>
std::vector<OperationSignature> operation_signatures() = delete;

namespace gen {

/// tenon-idl --signatures has generated them, and their header is included.
template <typename Interface>
concept HasSignatures = requires { operation_signatures<Interface>(); };

void show_operations(const CORBA::ORB& orb, const std::type_info& interface, std::string_view id,
                     const std::vector<OperationSignature>& operations);
/// Warns in the log of operations that are not among `all`.
void check_operations(std::string_view id, const std::vector<OperationSignature>& operations,
                      const std::vector<OperationSignature>& all);

}  // namespace gen

/// Makes operations of Interface known, inherited ones too, to the interceptors of the ORB: of calls over references of that C++ class, and
/// of requests to servants whose most derived interface it is. Any thread; before the calls that shall be seen. Adds to what is known of
/// the interface already. BAD_PARAM (OMG minor 21) for an exception that is none. Where the names of the interface's operations are known
/// (tenon-idl --any --signatures), a line in the log warns of a name that is none of them; otherwise no call ever has that name.
template <typename Interface>
void show_operations_to_interceptors(const CORBA::ORB& orb,
                                     const std::vector<OperationSignature>& operations) {
  if constexpr (gen::HasSignatures<Interface>)
    gen::check_operations(Interface::_static_id, operations, operation_signatures<Interface>());
  gen::show_operations(orb, typeid(Interface), Interface::_static_id, operations);
}

/// The same with all of them.
template <typename Interface>
void show_operations_to_interceptors(const CORBA::ORB& orb) {
  static_assert(gen::HasSignatures<Interface>,
                "include the _any.hpp of the IDL file that declares Interface, made by tenon-idl --any "
                "--signatures, in CMake "
                "tenon_idl(... ANY OPTIONS --signatures); or give the operations as second argument");
  if constexpr (gen::HasSignatures<Interface>)
    gen::show_operations(orb, typeid(Interface), Interface::_static_id, operation_signatures<Interface>());
}

}  // namespace tenon
