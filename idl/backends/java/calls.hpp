// SPDX-License-Identifier: Apache-2.0
//
// Operations and attributes as methods: what interfaces, stubs, servants and asynchronous calls have in common.
#pragma once

#include "idl/backends/java/types.hpp"

namespace tenon::idl::java {

// An operation, or one half of an attribute.
struct JavaCall {
  std::string name;  // of the Java method
  std::string wire;
  const model::Type* result = nullptr;  // null: void
  std::vector<model::Parameter> parameters;
  const std::vector<const model::Exception*>* raises = nullptr;
  bool oneway = false;
  const model::Decl* decl = nullptr;

  bool has_results() const;
  bool has_arguments() const;
};

std::vector<JavaCall> calls_of(const std::vector<const model::Operation*>& operations,
                               const std::vector<const model::Attribute*>& attributes);

// What a sequence of structs is where it is seen as views.
std::string list_of_views(const Unit& unit, const model::Struct& record);
// An expression that reads it from `_in`.
std::string read_views(const Unit& unit, const model::Type& sequence);

// "public int add(int a, int b) throws Full {"; `after`: what follows the signature. `as_views`: of the method that gives what an operation
// returns as views to a function.
void signature(Text& out, const Unit& unit, const JavaCall& call, const std::string& before,
               const char* after, bool as_views = false);

std::string parameter_type(const Unit& unit, const model::Parameter& one);

// The constant of a stub that stands for the operation.
std::string operation_constant(const JavaCall& call);
void declare_operations(Text& out, const std::vector<JavaCall>& calls);
// The statements that put the arguments into `_out`.
void write_arguments(Text& out, Unit& unit, const JavaCall& call);
// The statements that take the results from `_in`; `as_views`: the returned one as views.
void read_results(Text& out, Unit& unit, const JavaCall& call, bool as_views = false);

}  // namespace tenon::idl::java
