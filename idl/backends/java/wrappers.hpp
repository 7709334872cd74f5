// SPDX-License-Identifier: Apache-2.0
//
// Operations whose arguments and result are numbers, and which cross the border between Java and C++ one by one (org.tenon.WrapperCall):
// which they are, by a rule with measured costs, and what stubs and servants have for them.
#pragma once

#include <optional>
#include <string>

#include "idl/backends/java/calls.hpp"

namespace tenon::idl::java {

enum class Side : std::uint8_t { stub, servant };

struct WrapperChoice {
  bool wrapped = false;
  std::string comment;  // which way and why; empty where nothing is to be said
};

// The nearest @tenon::java_wrapper decides, else --java-wrappers.
WrapperChoice wrapper_choice(const Unit& unit, const JavaCall& call, Side side);
// Warns of an annotation that wants a wrapper where there can be none.
void check_wrappers(const model::Interface& decl, BackendDiagnostics& diagnostics);

// --- in a stub ---
// The constants that stand for the wrapped operations, and what raises their exceptions.
void declare_wrapper_calls(Text& out, Unit& unit, const model::Interface& decl,
                           const std::vector<JavaCall>& calls);
// The statement that calls over the wrapper where that is possible; nothing for others.
void write_wrapper_call(Text& out, const Unit& unit, const JavaCall& call);

// --- in a servant ---
void declare_wrapper_methods(Text& out, Unit& unit, const model::Interface& decl,
                             const std::vector<JavaCall>& calls);

}  // namespace tenon::idl::java
