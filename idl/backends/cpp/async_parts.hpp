// SPDX-License-Identifier: Apache-2.0
//
// What the forms of asynchronous calls share (ami.cpp, async.cpp): parameters that are sent, and the constants of an operation.
#pragma once

#include <string>
#include <vector>

#include "idl/backends/cpp/emit.hpp"

namespace tenon::idl::cpp {

// In and inout parameters as stubs take them: "const std::string& title".
std::vector<std::string> in_parameters(const Call& call);
// The names of those parameters.
std::vector<std::string> in_names(const Call& call);

// Emits "const void* const _values[] = {&a, &b};" and returns the argument that passes it.
std::string declare_addresses(Text& out, const char* type, const std::vector<std::string>& names);

// "::Calc::AMI_CalculatorHandler::_calls, 3": the arguments by which the library finds an operation.
std::string constants_of(const Call& call);

}  // namespace tenon::idl::cpp
