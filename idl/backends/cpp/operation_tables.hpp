// SPDX-License-Identifier: Apache-2.0
//
// The table in which a skeleton finds its compiled operations, in the form that --operations asks for.
#pragma once

#include <string>

#include "idl/backends/cpp/emit.hpp"

namespace tenon::idl::cpp {

// The step of _dispatch that looks into the table; empty when there is none.
std::string operation_step(const Context& context, const model::Interface& decl);
// Writes the table as a static of _dispatch, if there is one.
void define_operation_table(Text& out, const Context& context, const model::Interface& decl);

// Beside the interface's outermost class: Calculator_skeleton; of an interface inside another scope the same in its namespace.
std::string skeleton_name(const model::Interface& decl);
std::string skeleton_path(const model::Interface& decl);

}  // namespace tenon::idl::cpp
