// SPDX-License-Identifier: Apache-2.0
//
// Interfaces, their stubs and their servants.
#include <algorithm>

#include "idl/backends/java/wrappers.hpp"

namespace tenon::idl::java {

using model::Direction;
using model::Parameter;

namespace {

bool has_operation(const model::Interface& decl, const char* name) {
  const auto named = [name](const auto* one) { return one->name == name; };
  return std::any_of(decl.all_operations.begin(), decl.all_operations.end(), named) ||
         std::any_of(decl.all_attributes.begin(), decl.all_attributes.end(), named);
}

void comment_on(Text& out, const WrapperChoice& choice) {
  if (!choice.comment.empty()) out.line("// " + choice.comment);
}

void declare_stub_call(Text& out, Unit& unit, const JavaCall& call, bool as_views = false) {
  const WrapperChoice choice = wrapper_choice(unit, call, Side::stub);
  out.gap();
  comment_on(out, choice);
  out.line("@" + unit.names.lang("Override"));
  signature(out, unit, call, "public ", " {", as_views);
  out.indent();
  if (choice.wrapped) write_wrapper_call(out, unit, call);
  out.line("org.tenon.Call _call = _begin(" + operation_constant(call) + ");");
  out.line("try {");
  out.indent();
  if (call.has_arguments()) {
    out.line("do {");
    out.indent();
    out.line("org.tenon.CdrWriter _out = _call.arguments();");
    write_arguments(out, unit, call);
    out.outdent();
    out.line("} while (_call.invoke());");
  } else {
    out.line("while (_call.invoke()) _call.arguments();");
  }
  if (!call.oneway) {
    if (call.raises->empty()) {
      out.line("if (_call.raised()) throw _call.unlisted();");
    } else {
      out.line("if (_call.raised()) {");
      out.indent();
      for (const model::Exception* one : *call.raises) {
        const std::string type = unit.names.of(*one);
        out.line("if (_call.exceptionId().equals(" + type + "._ID)) throw " + type +
                 ".read(_call.results());");
      }
      out.line("throw _call.unlisted();");
      out.outdent();
      out.line("}");
    }
  }
  if (call.has_results()) {
    // What the function does may take long, and call the same server.
    out.line(std::string("org.tenon.CdrReader _in = _call.") + (as_views ? "keptResults();" : "results();"));
    read_results(out, unit, call, as_views);
    if (call.result != nullptr) out.line(as_views ? "return _use.apply(_result);" : "return _result;");
  }
  out.outdent();
  out.line("} finally {");
  out.line("  _call.end();");
  out.line("}");
  out.outdent();
  out.line("}");
}

void declare_dispatch(Text& out, Unit& unit, const JavaCall& call) {
  out.gap();
  comment_on(out, wrapper_choice(unit, call, Side::servant));
  out.line("private void _dispatch_" + call.wire + "(org.tenon.CdrReader _in, org.tenon.Reply _reply) {");
  out.indent();
  std::vector<std::string> arguments;
  for (const Parameter& one : call.parameters) {
    const std::string name = escaped(one.name);
    const std::string type = parameter_type(unit, one);
    arguments.push_back(name);
    const std::string value = one.direction == Direction::Out ? ""
                              : viewed_struct(one) != nullptr ? read_views(unit, *one.type)
                                                              : unit.read(*one.type, "_in");
    out.line(type + " " + name + " = " +
             (one.direction == Direction::In ? value : "new org.tenon.Holder<>(" + value + ")") + ";");
  }
  const std::string invocation = "this." + call.name + "(" + cpp::join(arguments, ", ") + ");";
  if (call.result != nullptr) out.line(unit.type(*call.result) + " _result;");
  const std::string statement = (call.result != nullptr ? "_result = " : "") + invocation;
  if (call.raises->empty()) {
    out.line(statement);
  } else {
    out.line("try {");
    out.line("  " + statement);
    for (const model::Exception* one : *call.raises) {
      const std::string type = unit.names.of(*one);
      out.line("} catch (" + type + " _raised) {");
      out.line("  _raised.write(_reply.userException(" + type + "._ID));");
      out.line("  return;");
    }
    out.line("}");
  }
  if (call.has_results()) {
    out.line("org.tenon.CdrWriter _out = _reply.results();");
    if (call.result != nullptr) out.line(unit.write(*call.result, "_result", "_out"));
    for (const Parameter& one : call.parameters) {
      if (one.direction != Direction::In)
        out.line(unit.write(*one.type, escaped(one.name) + ".value", "_out"));
    }
  }
  out.outdent();
  out.line("}");
}

// Of an interface: a servant's own result is as good as views of it.
void declare_with_views(Text& out, Unit& unit, const JavaCall& call) {
  std::vector<std::string> arguments;
  for (const Parameter& one : call.parameters) arguments.push_back(escaped(one.name));
  out.gap();
  out.line(
      "/** The same; `_use` gets what it returns where the reply has it, which ends when it returns. */");
  signature(out, unit, call, "default ", " {", true);
  out.line("  return _use.apply(this." + call.name + "(" + cpp::join(arguments, ", ") + "));");
  out.line("}");
}

std::vector<std::string> bases_of(const Unit& unit, const model::Interface& decl) {
  std::vector<std::string> bases;
  bool remote = false;
  for (const model::Interface* base : decl.bases) {
    bases.push_back(unit.names.of(*base));
    remote |= !base->abstract;
  }
  if (!decl.abstract && !remote) bases.emplace_back("org.tenon.RemoteObject");
  if (bases.empty()) bases.emplace_back("org.tenon.AbstractBase");
  return bases;
}

}  // namespace

void declare_interface(Text& out, Unit& unit, const model::Interface& decl) {
  const std::string type = unit.names.of(decl);
  document(out, decl, decl.repository_id);
  out.line("public interface " + escaped(decl.name) + " extends " + cpp::join(bases_of(unit, decl), ", ") +
           " {");
  out.indent();
  declare_nested(out, unit, decl.contents);
  for (const JavaCall& call : calls_of(decl.operations, decl.attributes)) {
    out.gap();
    document(out, *call.decl, "");
    signature(out, unit, call, "", ";");
    if (viewed_result(*call.decl) != nullptr) declare_with_views(out, unit, call);
  }
  const std::string narrow = has_operation(decl, "narrow") ? "_narrow" : "narrow";
  out.gap();
  out.add(
      R"(/** Asks the object whether it has the interface, where its class does not say so: BAD_PARAM if not. Null: null. */
static $type$ $narrow$(org.tenon.RemoteObject object) {
  return $stub$._narrow(object);
})",
      {{"type", type}, {"narrow", narrow}, {"stub", unit.names.of(decl, "Stub")}});
  unit.declare_types(out);
  out.outdent();
  out.line("}");
}

void declare_stub(Text& out, Unit& unit, const model::Interface& decl) {
  const std::string type = unit.names.of(decl);
  const std::string name = unit.names.simple(decl, "Stub");
  const std::vector<JavaCall> calls = calls_of(decl.all_operations, decl.all_attributes);
  out.line("public final class " + name + " extends org.tenon.Stub implements " + type + " {");
  out.indent();
  declare_operations(out, calls);
  declare_wrapper_calls(out, unit, decl, calls);
  out.gap();
  out.add(R"(private $name$(org.tenon.ObjectReference reference) {
  super(reference);
}

/** Without asking the object. Null: nil. */
public static $type$ of(org.tenon.ObjectReference reference) {
  return reference == null ? null : new $name$(reference);
}

/** See narrow() of the interface. */
public static $type$ _narrow(org.tenon.RemoteObject object) {
  if (object == null || object instanceof $type$) return ($type$) object;
  return new $name$(_checked(object, $id$));
}

public static $type$ read(org.tenon.CdrReader in) {
  return $read$;
})",
          {{"name", name},
           {"type", type},
           {"id", string_literal(decl.repository_id)},
           {"read", decl.abstract ? "in.readBoolean() ? of(in.readReference()) : in.readValue(" + type +
                                        ".class, \"\", null)"
                                  : "of(in.readReference())"}});
  for (const JavaCall& call : calls) {
    declare_stub_call(out, unit, call);
    if (viewed_result(*call.decl) != nullptr) declare_stub_call(out, unit, call, true);
  }
  declare_type_class(out, unit, decl, type, name + ".read(in)",
                     decl.abstract ? "out.writeAbstract(value);" : "out.writeObject(value);");
  unit.declare_types(out);
  out.outdent();
  out.line("}");
}

void declare_servant(Text& out, Unit& unit, const model::Interface& decl) {
  const std::string type = unit.names.of(decl);
  const std::string override = "@" + unit.names.lang("Override");
  const std::vector<JavaCall> calls = calls_of(decl.all_operations, decl.all_attributes);
  std::vector<std::string> ids{string_literal(decl.repository_id)};
  for (auto base = decl.all_bases.rbegin(); base != decl.all_bases.rend(); ++base)
    ids.push_back(string_literal((*base)->repository_id));
  ids.emplace_back("org.tenon.InterfaceInfo.OBJECT");
  std::vector<std::string> names;
  for (const JavaCall& call : calls) names.push_back("\"" + call.wire + "\"");
  out.line("/** A program's class derives from it and implements the operations. */");
  out.line("public abstract class " + unit.names.simple(decl, "Servant") +
           " extends org.tenon.Servant implements " + type + " {");
  out.indent();
  out.line("private static final org.tenon.InterfaceInfo _information =");
  out.indent();
  out.indent();
  out.line("new org.tenon.InterfaceInfo(");
  out.indent();
  out.indent();
  out.list("java.util.List.of(", ids, "),");
  out.list("java.util.List.of(", names, "));");
  for (int i = 0; i < 4; ++i) out.outdent();
  declare_wrapper_methods(out, unit, decl, calls);
  out.gap();
  out.line(override);
  out.line("protected final org.tenon.InterfaceInfo _interface() {");
  out.line("  return _information;");
  out.line("}");
  out.gap();
  out.line(override);
  out.line("protected final void _dispatch(int operation, org.tenon.CdrReader in, org.tenon.Reply reply) {");
  out.indent();
  out.line("switch (operation) {");
  out.indent();
  for (std::size_t i = 0; i < calls.size(); ++i)
    out.line("case " + std::to_string(i) + ": _dispatch_" + calls[i].wire + "(in, reply); break;");
  out.line("default: throw _unknown(operation);");
  out.outdent();
  out.line("}");
  out.outdent();
  out.line("}");
  for (const JavaCall& call : calls) declare_dispatch(out, unit, call);
  unit.declare_types(out);
  out.outdent();
  out.line("}");
}

}  // namespace tenon::idl::java
