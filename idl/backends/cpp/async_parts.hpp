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

// "const void* const _values[] = {&a, &b};", and what stands for it as an argument.
std::string declare_addresses(Text& out, const char* type, const std::vector<std::string>& names);

// "::Calc::AMI_CalculatorHandler::_calls, 3": what the library is told of an operation.
std::string constants_of(const Call& call);

}  // namespace tenon::idl::cpp
