// SPDX-License-Identifier: Apache-2.0
//
// Asynchronous calls (--ami): a class for each interface, whose methods return futures.
#include "idl/backends/java/calls.hpp"

namespace tenon::idl::java {
namespace {

using model::Parameter;

void declare_call(Text& out, Unit& unit, const JavaCall& call) {
  std::vector<std::string> parameters;
  for (const Parameter& one : call.parameters)
    parameters.push_back(parameter_type(unit, one) + " " + escaped(one.name));
  const std::string result = call.result != nullptr ? unit.boxed(*call.result) : unit.names.lang("Void");
  out.gap();
  out.list("public java.util.concurrent.CompletableFuture<" + result + "> " + call.name + "(", parameters,
           ") {");
  out.indent();
  out.line("return _start(" + operation_constant(call) + ", _out -> {");
  out.indent();
  write_arguments(out, unit, call);
  out.outdent();
  out.line("}, (_in, _raised) -> {");
  out.indent();
  for (const model::Exception* one : *call.raises) {
    const std::string type = unit.names.of(*one);
    out.line("if (" + type + "._ID.equals(_raised)) throw " + type + ".read(_in);");
  }
  out.line("if (_raised != null) throw _unlisted(_raised);");
  read_results(out, unit, call);
  out.line(call.result != nullptr ? "return _result;" : "return null;");
  out.outdent();
  out.line("});");
  out.outdent();
  out.line("}");
}

}  // namespace

void declare_async(Text& out, Unit& unit, const model::Interface& decl) {
  std::vector<JavaCall> calls;
  for (JavaCall& call : calls_of(decl.all_operations, decl.all_attributes)) {
    if (!call.oneway) calls.push_back(std::move(call));  // these do not wait anyway
  }
  const std::string name = unit.names.simple(decl, "Async");
  out.line("/**");
  out.line(" * Asynchronous calls of " + unit.names.of(decl) +
           ". A future is completed on a thread of the ORB,");
  out.line(" * when out and inout parameters have their values.");
  out.line(" */");
  out.line("public final class " + name + " extends org.tenon.Stub {");
  out.indent();
  declare_operations(out, calls);
  out.gap();
  out.add(R"(private $name$(org.tenon.ObjectReference reference) {
  super(reference);
}

/** Calls of the object that another stub or a servant stands for. Null: null. */
public static $name$ of($type$ object) {
  return object == null ? null : new $name$(object._reference());
})",
          {{"name", name}, {"type", unit.names.of(decl)}});
  for (const JavaCall& call : calls) declare_call(out, unit, call);
  unit.declare_types(out);
  out.outdent();
  out.line("}");
}

}  // namespace tenon::idl::java
