// SPDX-License-Identifier: Apache-2.0
//
// The table in which a skeleton finds its compiled operations, in the form that --operations asks for.
#pragma once

#include <string>

#include "idl/backends/cpp/emit.hpp"

namespace tenon::idl::cpp {

// The statement of _dispatch that looks into the table; empty if there is none.
std::string operation_step(const Context& context, const model::Interface& decl);
// Writes the table as a static of _dispatch, if there is one.
void define_operation_table(Text& out, const Context& context, const model::Interface& decl);

// The name of the skeleton's class, "Calculator_skeleton", and its qualified name, in the interface's own scope.
std::string skeleton_name(const model::Interface& decl);
std::string skeleton_path(const model::Interface& decl);

}  // namespace tenon::idl::cpp
