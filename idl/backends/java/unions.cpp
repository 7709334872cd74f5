// SPDX-License-Identifier: Apache-2.0
//
// Unions: a sealed interface, and in it a record for each branch. A branch that several discriminators select has the discriminator, too.
#include "idl/backends/java/types.hpp"

namespace tenon::idl::java {

using model::TypeKind;
using model::UnionCase;

namespace {

// Case labels of a switch name an enumerator alone.
std::string label_text(const Unit& unit, const model::Union& decl, const model::Value& label,
                       bool in_switch) {
  if (in_switch && label.kind == model::ValueKind::Enumerator) return escaped(label.enumerator->name);
  return literal(unit, label, *decl.discriminator);
}

// Java switches over neither booleans nor longs.
bool can_switch(const model::Union& decl) {
  const TypeKind kind = model::resolve_aliases(decl.discriminator)->kind;
  return kind != TypeKind::Boolean && kind != TypeKind::LongLong && kind != TypeKind::ULongLong;
}

bool keeps_discriminator(const UnionCase& one) { return one.is_default || one.labels.size() > 1; }

// Returns the number of the branch that a discriminator selects; behind all: the implicit default.
void declare_selection(Text& out, Unit& unit, const model::Union& decl) {
  std::size_t otherwise = decl.cases.size();
  const bool switches = can_switch(decl);
  out.gap();
  out.line("private static int _branch(" + unit.type(*decl.discriminator) + " discriminator) {");
  out.indent();
  if (switches) {
    out.line("switch (discriminator) {");
    out.indent();
  }
  for (std::size_t i = 0; i < decl.cases.size(); ++i) {
    const UnionCase& one = decl.cases[i];
    if (one.is_default) {  // labels beside default: select what it selects
      otherwise = i;
      continue;
    }
    for (const model::Value& label : one.labels) {
      const std::string text = label_text(unit, decl, label, switches);
      if (switches) {
        out.line("case " + text + ":" +
                 (&label == &one.labels.back() ? " return " + std::to_string(i) + ";" : ""));
      } else {
        out.line("if (discriminator == " + text + ") return " + std::to_string(i) + ";");
      }
    }
  }
  if (switches) {
    out.line("default: return " + std::to_string(otherwise) + ";");
    out.outdent();
    out.line("}");
  } else {
    out.line("return " + std::to_string(otherwise) + ";");
  }
  out.outdent();
  out.line("}");
}

void declare_reading(Text& out, Unit& unit, const model::Union& decl) {
  const std::string type = unit.names.of(decl);
  const bool guarded = model::is_recursive(&decl);
  const std::string discriminator = unit.type(*decl.discriminator);
  out.gap();
  out.line("static " + type + " read(org.tenon.CdrReader in) {");
  out.indent();
  if (guarded) out.line("in.enter();");
  out.line(discriminator + " discriminator = " + unit.read(*decl.discriminator) + ";");
  out.line(type + " value;");
  out.line("switch (_branch(discriminator)) {");
  out.indent();
  for (std::size_t i = 0; i < decl.cases.size(); ++i) {
    const UnionCase& one = decl.cases[i];
    out.line("case " + std::to_string(i) + ":");
    out.line("  value = new " + type + "." + branch_name(decl, one) + "(" +
             (keeps_discriminator(one) ? "discriminator, " : "") + unit.read(*one.member.type) + ");");
    out.line("  break;");
  }
  if (decl.implicit_default) {
    out.line("default:");
    out.line("  value = new " + type + "." + empty_branch_name(decl) + "(discriminator);");
    out.line("  break;");
  } else {
    out.line("default:");
    out.line("  throw org.tenon.SystemException.badCaseLabel();");
  }
  out.outdent();
  out.line("}");
  if (guarded) out.line("in.leave();");
  out.line("return value;");
  out.outdent();
  out.line("}");
}

void declare_branch(Text& out, Unit& unit, const model::Union& decl, const std::string& name,
                    const UnionCase* one) {
  const std::string override = "@" + unit.names.lang("Override");
  const std::string discriminator = unit.type(*decl.discriminator);
  const std::string union_type = unit.names.of(decl);
  const bool keeps = one == nullptr || keeps_discriminator(*one);
  const std::size_t number =
      one == nullptr ? decl.cases.size() : static_cast<std::size_t>(one - decl.cases.data());
  std::vector<std::string> parameters;
  if (keeps) parameters.push_back(discriminator + " discriminator");
  if (one != nullptr) parameters.push_back(unit.type(*one->member.type) + " value");
  const model::Value& label =
      one == nullptr || one->labels.empty() ? decl.default_discriminator : one->labels.front();
  const std::string first = literal(unit, label, *decl.discriminator);
  out.gap();
  out.line("record " + name + "(" + cpp::join(parameters, ", ") + ") implements " + union_type + " {");
  out.indent();
  if (keeps) {
    out.line("/** Raises BAD_PARAM for a discriminator that selects another branch. */");
    out.line("public " + name + " {");
    out.line("  if (_branch(discriminator) != " + std::to_string(number) +
             ") throw org.tenon.SystemException.badCaseLabel();");
    out.line("}");
    out.gap();
    out.line("public " + name + "(" + (one != nullptr ? parameters.back() : "") + ") {");
    out.line("  this(" + first + (one != nullptr ? ", value" : "") + ");");
    out.line("}");
  } else {
    out.line(override);
    out.line("public " + discriminator + " discriminator() {");
    out.line("  return " + first + ";");
    out.line("}");
  }
  out.gap();
  out.line(override);
  out.line("public void write(org.tenon.CdrWriter out) {");
  out.indent();
  out.line(unit.write(*decl.discriminator, keeps ? "this.discriminator" : "discriminator()"));
  if (one != nullptr) out.line(unit.write(*one->member.type, "this.value"));
  out.outdent();
  out.line("}");
  if (one != nullptr && has_arrays(*one->member.type)) {
    const std::string same = keeps ? "this.discriminator == that.discriminator && " : "";
    out.gap();
    out.line(override);
    out.line("public boolean equals(" + unit.names.lang("Object") + " other) {");
    out.line("  return other instanceof " + union_type + "." + name + " that && " + same +
             "org.tenon.Values.equal(this.value, that.value);");
    out.line("}");
    out.gap();
    out.line(override);
    out.line("public int hashCode() {");
    out.line("  return org.tenon.Values.hash((" + unit.names.lang("Object") + ") this.value);");
    out.line("}");
  }
  out.outdent();
  out.line("}");
}

}  // namespace

void declare_union(Text& out, Unit& unit, const model::Union& decl, bool nested) {
  const std::string type = unit.names.of(decl);
  document(out, decl, decl.repository_id + ". The record of a branch has its value.");
  out.line("public sealed interface " + escaped(decl.name) + " {");
  out.indent();
  declare_nested(out, unit, decl.contents);
  out.gap();
  out.line(unit.type(*decl.discriminator) + " discriminator();");
  out.gap();
  out.line("void write(org.tenon.CdrWriter out);");
  for (const UnionCase& one : decl.cases) declare_branch(out, unit, decl, branch_name(decl, one), &one);
  if (decl.implicit_default) declare_branch(out, unit, decl, empty_branch_name(decl), nullptr);
  declare_reading(out, unit, decl);
  declare_selection(out, unit, decl);
  declare_type_class(out, unit, decl, type, type + ".read(in)", "value.write(out);");
  if (!nested) unit.declare_types(out);
  out.outdent();
  out.line("}");
}

}  // namespace tenon::idl::java
