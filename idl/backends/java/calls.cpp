// SPDX-License-Identifier: Apache-2.0
#include "idl/backends/java/calls.hpp"

#include <algorithm>

namespace tenon::idl::java {

using model::Direction;
using model::Parameter;

namespace {

JavaCall call_of(const model::Operation& decl) {
  JavaCall call{escaped(decl.name), decl.name, nullptr, decl.parameters, &decl.raises, decl.oneway, &decl};
  if (decl.result->kind != model::TypeKind::Void) call.result = decl.result;
  return call;
}

void append_calls(std::vector<JavaCall>& calls, const model::Attribute& decl) {
  calls.push_back({escaped(decl.name), "_get_" + decl.name, decl.type, {}, &decl.get_raises, false, &decl});
  if (decl.readonly) return;
  Parameter value;
  value.name = "value";
  value.type = decl.type;
  calls.push_back(
      {escaped(decl.name), "_set_" + decl.name, nullptr, {value}, &decl.set_raises, false, &decl});
}

}  // namespace

bool JavaCall::has_results() const {
  return result != nullptr || std::any_of(parameters.begin(), parameters.end(), [](const Parameter& one) {
           return one.direction != Direction::In;
         });
}

bool JavaCall::has_arguments() const {
  return std::any_of(parameters.begin(), parameters.end(),
                     [](const Parameter& one) { return one.direction != Direction::Out; });
}

std::vector<JavaCall> calls_of(const std::vector<const model::Operation*>& operations,
                               const std::vector<const model::Attribute*>& attributes) {
  std::vector<JavaCall> calls;
  for (const model::Operation* one : operations) calls.push_back(call_of(*one));
  for (const model::Attribute* one : attributes) append_calls(calls, *one);
  return calls;
}

std::string list_of_views(const Unit& unit, const model::Struct& record) {
  return "java.util.List<? extends " + unit.names.of(record, "View") + ">";
}

void signature(Text& out, const Unit& unit, const JavaCall& call, const std::string& before,
               const char* after, bool as_views) {
  std::vector<std::string> parameters;
  for (const Parameter& one : call.parameters)
    parameters.push_back(parameter_type(unit, one) + " " + escaped(one.name));
  std::string result = call.result != nullptr ? unit.type(*call.result) : "void";
  if (as_views) {
    parameters.push_back("java.util.function.Function<? super " +
                         list_of_views(unit, *viewed_result(*call.decl)) + ", ? extends _R> _use");
    result = "<_R> _R";
  }
  std::vector<std::string> raises;
  for (const model::Exception* one : *call.raises) raises.push_back(unit.names.of(*one));
  out.list(before + result + " " + call.name + "(", parameters,
           ")" + (raises.empty() ? "" : " throws " + cpp::join(raises, ", ")) + after);
}

std::string parameter_type(const Unit& unit, const Parameter& one) {
  if (const model::Struct* record = viewed_struct(one)) return list_of_views(unit, *record);
  return one.direction == Direction::In ? unit.type(*one.type)
                                        : "org.tenon.Holder<" + unit.boxed(*one.type) + ">";
}

std::string read_views(const Unit& unit, const model::Type& sequence) {
  return unit.names.of(*model::sequence_of_constant_structs(sequence), "View") + "._readSequence(_in, " +
         bound_text(model::resolve_aliases(&sequence)->bound) + ")";
}

std::string operation_constant(const JavaCall& call) { return "_op_" + call.wire; }

void declare_operations(Text& out, const std::vector<JavaCall>& calls) {
  for (const JavaCall& call : calls) {
    out.line("private static final org.tenon.Operation " + operation_constant(call) +
             " = new org.tenon.Operation(\"" + call.wire + "\", " + (call.oneway ? "true" : "false") + ", " +
             (call.has_arguments() ? "true" : "false") + ");");
  }
}

void write_arguments(Text& out, Unit& unit, const JavaCall& call) {
  for (const Parameter& one : call.parameters) {
    if (one.direction == Direction::Out) continue;
    const std::string value = escaped(one.name) + (one.direction == Direction::InOut ? ".value" : "");
    if (const model::Struct* record = viewed_struct(one)) {
      out.line(unit.names.of(*record, "View") + "._writeSequence(_out, " + value + ", " +
               bound_text(model::resolve_aliases(one.type)->bound) + ");");
      continue;
    }
    out.line(unit.write(*one.type, value, "_out"));
  }
}

void read_results(Text& out, Unit& unit, const JavaCall& call, bool as_views) {
  if (call.result != nullptr && as_views) {
    out.line(list_of_views(unit, *viewed_result(*call.decl)) +
             " _result = " + read_views(unit, *call.result) + ";");
  } else if (call.result != nullptr) {
    out.line(unit.type(*call.result) + " _result = " + unit.read(*call.result, "_in") + ";");
  }
  for (const Parameter& one : call.parameters) {
    if (one.direction != Direction::In)
      out.line(escaped(one.name) + ".value = " + unit.read(*one.type, "_in") + ";");
  }
}

}  // namespace tenon::idl::java
