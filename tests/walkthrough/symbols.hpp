// SPDX-License-Identifier: Apache-2.0
//
// Names of this program's own functions, from its symbol table: those of anonymous namespaces too, which the dynamic linker does
// not know. Not a debugger: functions that were inlined have no frame and no name.
#pragma once

#include <string>

#include "observe.hpp"

namespace tenon::walk {

/// Without parameters, return type, template arguments and anonymous namespaces: "tenon::gen::call". Empty when the address lies
/// outside this program.
std::string function_at(const void* address);

/// The functions of a stack, innermost first, those outside this program left out.
std::vector<std::string> functions(const Frames& frames);

}  // namespace tenon::walk
