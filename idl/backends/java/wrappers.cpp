// SPDX-License-Identifier: Apache-2.0
#include "idl/backends/java/wrappers.hpp"

#include <algorithm>
#include <cmath>

#include "idl/backends/java/wrapper_costs.hpp"

namespace tenon::idl::java {
namespace {

using model::Direction;
using model::Parameter;
using model::Type;

constexpr std::size_t most_numbers = 6;  // parameters; bindings/java/native/wrappers.cpp has it, too

const model::Enum* enum_of(const Type& type) { return model::as<model::Enum>(model::named_decl(&type)); }

// As org.tenon.WrapperCall takes it. Empty: no number. What depends on code sets is none.
std::string letter_of(const Type& type) {
  if (const model::Enum* one = enum_of(type)) return "e" + std::to_string(one->enumerators.size()) + ";";
  const std::string name = primitive_name(type);
  if (name.empty() || name == "Char" || name == "WChar") return "";
  if (name == "Boolean") return "Z";
  return name == "Long" ? "J" : name.substr(0, 1);
}

std::string signature_of(const JavaCall& call) {
  std::string text = "(";
  for (const Parameter& one : call.parameters) text += letter_of(*one.type);
  return text + ")" + (call.result != nullptr ? letter_of(*call.result) : "V");
}

bool has_enums(const JavaCall& call) {
  return (call.result != nullptr && enum_of(*call.result) != nullptr) ||
         std::any_of(call.parameters.begin(), call.parameters.end(),
                     [](const Parameter& one) { return enum_of(*one.type) != nullptr; });
}

// Why the operation can have no wrapper; empty if it can.
std::string obstacle(const JavaCall& call) {
  for (const Parameter& one : call.parameters) {
    if (one.direction != Direction::In) return "'" + one.name + "' comes back";
    if (letter_of(*one.type).empty()) return "'" + one.name + "' is no number";
  }
  if (call.parameters.size() > most_numbers)
    return "it has more than " + std::to_string(most_numbers) + " parameters";
  if (call.result != nullptr && letter_of(*call.result).empty()) return "its result is no number";
  return "";
}

// The nearest annotation around a declaration, its own first.
std::optional<bool> wish_around(const model::Decl* decl) {
  for (; decl != nullptr; decl = decl->parent) {
    const model::Annotation* one = model::find_annotation(decl->annotations, "tenon::java_wrapper");
    if (one != nullptr) return one->parameters.front().value.boolean;
  }
  return std::nullopt;
}

double cost(const BorderCosts& costs, const JavaCall& call) {
  return costs.call + costs.argument * static_cast<double>(call.parameters.size()) +
         (call.result != nullptr ? costs.result : 0);
}

std::string rounded(double ns) { return std::to_string(std::lround(ns)); }

std::string constant_of(const JavaCall& call) { return "_wrapper_" + call.wire; }
std::string raising(const JavaCall& call) { return "_raise_" + call.wire; }

// The method that the native side calls: the operation's own, but for enums, which it knows as ordinals.
std::string method_of(const JavaCall& call) { return has_enums(call) ? "_wrapped_" + call.wire : call.name; }

std::string to_bits(const Unit& unit, const Type& type, const std::string& value) {
  if (enum_of(type) != nullptr) return value + ".ordinal()";
  const std::string letter = letter_of(type);
  if (letter == "Z") return value + " ? 1 : 0";
  if (letter == "F") return unit.names.lang("Float") + ".floatToRawIntBits(" + value + ")";
  if (letter == "D") return unit.names.lang("Double") + ".doubleToRawLongBits(" + value + ")";
  return value;
}

std::string from_bits(const Unit& unit, const Type& type, const std::string& bits) {
  if (const model::Enum* one = enum_of(type)) return unit.names.of(*one) + "._at((int) " + bits + ")";
  const std::string letter = letter_of(type);
  if (letter == "J") return bits;
  if (letter == "Z") return bits + " != 0";
  if (letter == "F") return unit.names.lang("Float") + ".intBitsToFloat((int) " + bits + ")";
  if (letter == "D") return unit.names.lang("Double") + ".longBitsToDouble(" + bits + ")";
  return "(" + unit.type(type) + ") " + bits;
}

std::string throws(const Unit& unit, const JavaCall& call) {
  std::vector<std::string> names;
  for (const model::Exception* one : *call.raises) names.push_back(unit.names.of(*one));
  return names.empty() ? "" : " throws " + cpp::join(names, ", ");
}

// The operation as the native side calls it, with ordinals in place of enums.
void declare_bridge(Text& out, const Unit& unit, const JavaCall& call) {
  std::vector<std::string> parameters;
  std::vector<std::string> arguments;
  for (const Parameter& one : call.parameters) {
    const std::string name = escaped(one.name);
    const model::Enum* of = enum_of(*one.type);
    parameters.push_back((of != nullptr ? "int" : unit.type(*one.type)) + " " + name);
    arguments.push_back(of != nullptr ? unit.names.of(*of) + "._at(" + name + ")" : name);
  }
  const bool ordinal = call.result != nullptr && enum_of(*call.result) != nullptr;
  const std::string result = call.result == nullptr ? "void" : ordinal ? "int" : unit.type(*call.result);
  out.gap();
  out.list("private " + result + " " + method_of(call) + "(", parameters, ")" + throws(unit, call) + " {");
  out.indent();
  out.line((call.result != nullptr ? "return " : "") + std::string("this.") + call.name + "(" +
           cpp::join(arguments, ", ") + ")" + (ordinal ? ".ordinal()" : "") + ";");
  out.outdent();
  out.line("}");
}

std::vector<const JavaCall*> wrapped(const Unit& unit, const std::vector<JavaCall>& calls, Side side) {
  std::vector<const JavaCall*> found;
  for (const JavaCall& call : calls) {
    if (wrapper_choice(unit, call, side).wrapped) found.push_back(&call);
  }
  return found;
}

}  // namespace

WrapperChoice wrapper_choice(const Unit& unit, const JavaCall& call, Side side) {
  const std::optional<bool> wish = wish_around(call.decl);
  if (unit.wrappers == JavaWrappers::never && wish != true) return {};
  if (const std::string why = obstacle(call); !why.empty())
    return {false, "Late demarshalling: " + why + "."};
  const char* const where = side == Side::stub ? "In one process over a wrapper" : "Called by a wrapper";
  if (wish || unit.wrappers == JavaWrappers::always) {
    if (!wish.value_or(true)) return {false, "Late demarshalling, as the annotation says."};
    return {true, std::string(where) + (wish ? ", as the annotation says." : ", as --java-wrappers says.")};
  }
  const double late = cost(side == Side::stub ? late_from_java : late_into_java, call);
  const double over_wrapper = cost(side == Side::stub ? wrapped_from_java : wrapped_into_java, call);
  if (over_wrapper < late)
    return {true, std::string(where) + ": " + rounded(over_wrapper) + " ns, late demarshalling " +
                      rounded(late) + "."};
  return {false, "Late demarshalling: " + rounded(late) + " ns, a wrapper " + rounded(over_wrapper) + "."};
}

void check_wrappers(const model::Interface& decl, BackendDiagnostics& diagnostics) {
  for (const JavaCall& call : calls_of(decl.operations, decl.attributes)) {
    const model::Annotation* one = model::find_annotation(call.decl->annotations, "tenon::java_wrapper");
    if (one == nullptr || !one->parameters.front().value.boolean) continue;
    if (const std::string why = obstacle(call); !why.empty())
      diagnostics.warning(call.decl->location, "'" + call.decl->name + "' can have no wrapper: " + why);
  }
}

void declare_wrapper_calls(Text& out, Unit& unit, const model::Interface& decl,
                           const std::vector<JavaCall>& calls) {
  const std::string stub = unit.names.simple(decl, "Stub");
  const std::vector<const JavaCall*> all = wrapped(unit, calls, Side::stub);
  for (const JavaCall* call : all) {
    const std::string raises = call->raises->empty() ? "null" : stub + "::" + raising(*call);
    out.line("private static final org.tenon.WrapperCall " + constant_of(*call) + " =");
    out.line("    new org.tenon.WrapperCall(\"" + call->wire + signature_of(*call) + "\", " +
             (call->oneway ? "true" : "false") + ", " + raises + ");");
  }
  for (const JavaCall* call : all) {
    if (call->raises->empty()) continue;
    out.gap();
    out.line("private static " + unit.names.lang("Void") + " " + raising(*call) +
             "(org.tenon.CdrReader _in, " + unit.names.lang("String") + " _raised)" + throws(unit, *call) +
             " {");
    for (const model::Exception* one : *call->raises) {
      const std::string type = unit.names.of(*one);
      out.line("  if (" + type + "._ID.equals(_raised)) throw " + type + ".read(_in);");
    }
    out.line("  return null;");
    out.line("}");
  }
}

void write_wrapper_call(Text& out, const Unit& unit, const JavaCall& call) {
  std::vector<std::string> arguments{"_reference"};
  for (const Parameter& one : call.parameters)
    arguments.push_back(to_bits(unit, *one.type, escaped(one.name)));
  arguments.resize(most_numbers + 1, "0");
  const std::string made = constant_of(call) + ".call(" + cpp::join(arguments, ", ") + ")";
  if (call.result != nullptr) {
    out.line("if (_isNear()) return " + from_bits(unit, *call.result, made) + ";");
    return;
  }
  out.line("if (_isNear()) {");
  out.line("  " + made + ";");
  out.line("  return;");
  out.line("}");
}

void declare_wrapper_methods(Text& out, Unit& unit, const model::Interface& decl,
                             const std::vector<JavaCall>& calls) {
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < calls.size(); ++i) {
    const JavaCall& call = calls[i];
    if (!wrapper_choice(unit, call, Side::servant).wrapped) continue;
    std::string text = std::to_string(i) + " " + method_of(call) + " " + signature_of(call);
    for (const model::Exception* one : *call.raises) text += " " + one->repository_id;
    lines.push_back("\"" + text + " \\n\"");
  }
  if (lines.empty()) return;
  out.line("private static final org.tenon.WrapperMethods _wrappers =");
  out.line("    new org.tenon.WrapperMethods(" + unit.names.simple(decl, "Servant") + ".class,");
  for (std::size_t i = 0; i < lines.size(); ++i)
    out.line("        " + std::string(i == 0 ? "" : "+ ") + lines[i] + (i + 1 == lines.size() ? ");" : ""));
  out.gap();
  out.line("@" + unit.names.lang("Override"));
  out.line("protected final org.tenon.WrapperMethods _wrappers() {");
  out.line("  return _wrappers;");
  out.line("}");
  for (const JavaCall* call : wrapped(unit, calls, Side::servant)) {
    if (has_enums(*call)) declare_bridge(out, unit, *call);
  }
}

}  // namespace tenon::idl::java
