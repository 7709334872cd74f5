// SPDX-License-Identifier: Apache-2.0
//
// How IDL names look in C++ (IDL to C++11 1.6 §6.1, §6.2): escaped keywords, qualified names, and which short names of our own the
// generated source may use without a conflict with names of the program.
// Invariant: every qualified name starts with "::", so no name of the program can hide another. Immutable once made.
#pragma once

#include <set>
#include <string>
#include <string_view>

#include "idl/model/model.hpp"

namespace tenon::idl::cpp {

// "class" -> "_cxx_class"; other names as they are.
std::string escaped(std::string_view name);

// A parameter's name, which only the generated function sees: if a local name there is the same, it gets
// a prefix that no IDL identifier has.
std::string parameter_name(std::string_view name);

// "::Calc::Rounding", of an enumerator "::Calc::Rounding::up".
std::string qualified(const model::Decl& decl);
// The name from the enclosing namespace on: "Calculator::Mode" for a type inside an interface.
std::string in_namespace(const model::Decl& decl);

// "calculator.idl:12"
std::string place(const model::Model& program, const model::Decl& decl);

// The names that a .cpp file uses for the support library: short ones, unless the program has such a name itself.
struct SupportNames {
  explicit SupportNames(const model::Model& program);

  std::string gen = "gen";
  std::string reader = "Reader";
  std::string writer = "Writer";
};

}  // namespace tenon::idl::cpp
