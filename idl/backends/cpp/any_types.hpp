// SPDX-License-Identifier: Apache-2.0
//
// The files a_any.hpp and a_any.cpp: TypeCodes of what an IDL file declares, as constant data, and how its types go into an Any.
#pragma once

#include <vector>

#include "idl/backends/cpp/emit.hpp"

namespace tenon::idl::cpp {

// Whether a declaration has a TypeCode constant: _tc_Name beside it.
bool has_type_constant(const model::Decl& decl);
// For a declaration in a class: "static const ::CORBA::TypeCodeRef _tc_Mode;", and the node that it refers to. In namespaces, a_any.hpp
// declares these.
void declare_nested_type_constant(Text& out, const model::Decl& decl);

std::vector<OutputFile> any_files(const Context& context);

}  // namespace tenon::idl::cpp
