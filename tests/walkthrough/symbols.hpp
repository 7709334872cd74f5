// SPDX-License-Identifier: Apache-2.0
//
// Names of this program's own functions: from its symbol table those that have a frame (also of anonymous namespaces, which the dynamic
// linker does not know), and from its debug information, where it has any, those that were inlined into them.
#pragma once

#include <string>
#include <vector>

#include "observe.hpp"

namespace tenon::walk {

/// Without parameters, return type, template arguments and anonymous namespaces: "tenon::gen::call". Empty when the address lies
/// outside this program.
std::string function_at(const void* address);

/// The functions of a stack, innermost first, those outside this program left out.
std::vector<std::string> functions(const Frames& frames);

/// A function as it is written in the sources, and a line of it.
struct WrittenFunction {
  std::string name;
  std::string file;
  int line = 0;
};

/// As functions(), with those that were inlined. Asks addr2line (binutils), once. Empty where there is no debug information.
std::vector<WrittenFunction> written_functions(const Frames& frames);

/// The number of lines of the function that has this line; 0: none found. Reads the source, which clang-format has laid out.
int lines_of(const WrittenFunction& function);

}  // namespace tenon::walk
