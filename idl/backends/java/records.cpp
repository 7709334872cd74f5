// SPDX-License-Identifier: Apache-2.0
//
// Structs as records, exceptions as classes, enums, bitmasks.
#include <algorithm>

#include "idl/backends/java/types.hpp"

namespace tenon::idl::java {

using model::Member;

namespace {

std::string public_class(bool nested, const char* what) {
  return std::string(nested ? "public static " : "public ") + what;
}

std::string override_of(const Unit& unit) { return "@" + unit.names.lang("Override"); }

// read() and write() member by member, and before that at constant offsets if there are such.
void declare_read_write(Text& out, Unit& unit, const model::Struct& decl,
                        const std::optional<model::ConstantLayout>& layout) {
  const bool guarded = model::is_recursive(&decl);
  const std::vector<Member> members = model::members_of(decl);
  const std::string type = unit.names.of(decl);
  std::vector<std::string> values;
  for (const Member& member : members) values.push_back(unit.read(*member.type));
  out.gap();
  out.line("public static " + type + " read(org.tenon.CdrReader in) {");
  out.indent();
  if (layout) {
    out.line("int at = in.block(" + block_arguments(*layout) + std::to_string(layout->size) + ");");
    out.line("if (at >= 0) return readAt(in, in.buffer(), at);");
  }
  if (guarded) out.line("in.enter();");
  out.list(guarded ? type + " value = new " + type + "(" : "return new " + type + "(", values, ");");
  if (guarded) {
    out.line("in.leave();");
    out.line("return value;");
  }
  out.outdent();
  out.line("}");
  out.gap();
  out.line("public void write(org.tenon.CdrWriter out) {");
  out.indent();
  if (layout) {
    out.line("int at = out.block(" + block_arguments(*layout) + std::to_string(layout->size) + ");");
    out.line("if (at >= 0) {");
    out.indent();
    out.line("writeAt(out, out.buffer(), at);");
    out.line("return;");
    out.outdent();
    out.line("}");
  }
  for (const Member& member : members) out.line(unit.write(*member.type, "this." + escaped(member.name)));
  out.outdent();
  out.line("}");
}

// Records compare arrays by identity.
void declare_equality(Text& out, const Unit& unit, const std::string& type,
                      const std::vector<Member>& members) {
  std::vector<std::string> comparisons;
  std::vector<std::string> names;
  for (const Member& member : members) {
    const std::string name = escaped(member.name);
    comparisons.push_back("org.tenon.Values.equal(this." + name + ", that." + name + ")");
    names.push_back("this." + name);
  }
  out.gap();
  out.line(override_of(unit));
  out.line("public boolean equals(" + unit.names.lang("Object") + " other) {");
  out.indent();
  out.line("if (!(other instanceof " + type + " that)) return false;");
  out.line("return " + cpp::join(comparisons, "\n    && ") + ";");
  out.outdent();
  out.line("}");
  out.gap();
  out.line(override_of(unit));
  out.line("public int hashCode() {");
  out.indent();
  // Java would take a single array for all arguments.
  if (names.size() == 1) names.front().insert(0, "(" + unit.names.lang("Object") + ") ");
  out.list("return org.tenon.Values.hash(", names, ");");
  out.outdent();
  out.line("}");
}

std::vector<std::string> parameters_of(const Unit& unit, const std::vector<Member>& members, bool exception) {
  std::vector<std::string> parameters;
  for (const Member& member : members)
    parameters.push_back(unit.type(*member.type) + " " +
                         (exception ? exception_member(member.name) : escaped(member.name)));
  return parameters;
}

// Where types have TypeCodes, a bitmask or bitset has its own.
void declare_carrier(Text& out, Unit& unit, const model::Decl& decl, const model::Type& carrier) {
  if (unit.any)
    declare_type_class(out, unit, decl, unit.boxed(carrier), unit.read(carrier),
                       unit.write(carrier, "value"));
}

}  // namespace

void declare_enum(Text& out, Unit& unit, const model::Enum& decl, bool nested) {
  std::vector<std::string> names;
  for (const model::Enumerator* one : decl.enumerators) names.push_back(escaped(one->name));
  const std::string type = unit.names.of(decl);
  const std::string count = std::to_string(names.size());
  document(out, decl, decl.repository_id + ". Ordinals are those of the wire.");
  out.line(public_class(nested, "enum ") + escaped(decl.name) + " {");
  out.indent();
  out.list("", names, ";");
  out.gap();
  out.add(R"(private static final $type$[] _values = values();

public static $type$ _at(int ordinal) {
  return _values[ordinal];
}

public static $type$ read(org.tenon.CdrReader in) {
  return _values[in.readOrdinal($count$)];
}

public static $type$ readAt(org.tenon.CdrReader in, java.nio.ByteBuffer b, int at) {
  return _values[in.ordinalAt(at, $count$)];
}

public void write(org.tenon.CdrWriter out) {
  out.writeInt(ordinal());
}

public void writeAt(org.tenon.CdrWriter out, java.nio.ByteBuffer b, int at) {
  b.putInt(at, ordinal());
})",
          {{"type", type}, {"count", count}});
  declare_type_class(out, unit, decl, type, type + ".read(in)", "value.write(out);");
  out.outdent();
  out.line("}");
}

void declare_bitmask(Text& out, Unit& unit, const model::Bitmask& decl, bool nested) {
  model::Type carrier;
  carrier.kind = decl.carrier;
  const std::string type = unit.type(carrier);
  document(out, decl, "Flags of a bitmask, whose values are of type " + type + ".");
  out.line(public_class(nested, "final class ") + escaped(decl.name) + " {");
  out.indent();
  for (const model::BitFlag& flag : decl.flags) {
    out.line("public static final " + type + " " + escaped(flag.name) + " = (" + type + ") (1L << " +
             std::to_string(flag.position) + ");");
  }
  out.gap();
  out.line("private " + escaped(decl.name) + "() {}");
  declare_carrier(out, unit, decl, carrier);
  out.outdent();
  out.line("}");
}

void declare_bitset(Text& out, Unit& unit, const model::Bitset& decl, bool nested) {
  model::Type carrier;
  carrier.kind = decl.carrier;
  document(out, decl,
           "Where the fields of a bitset lie, whose values are of type " + unit.type(carrier) + ".");
  out.line(public_class(nested, "final class ") + escaped(decl.name) + " {");
  out.indent();
  for (const model::Bitset* one = &decl; one != nullptr; one = one->base) {
    for (const model::BitField& field : one->fields) {
      if (field.name.empty()) continue;  // padding
      out.line("public static final int " + field.name + "_position = " + std::to_string(field.position) +
               ";");
      out.line("public static final int " + field.name + "_width = " + std::to_string(field.width) + ";");
    }
  }
  out.gap();
  out.line("private " + escaped(decl.name) + "() {}");
  declare_carrier(out, unit, decl, carrier);
  out.outdent();
  out.line("}");
}

void declare_struct(Text& out, Unit& unit, const model::Struct& decl, bool nested) {
  const std::vector<Member> members = model::members_of(decl);
  const std::optional<model::ConstantLayout> layout = model::constant_layout(decl);
  const std::string type = unit.names.of(decl);
  document(out, decl, decl.repository_id);
  out.list(public_class(nested, "record ") + escaped(decl.name) + "(", parameters_of(unit, members, false),
           (unit.views.has(decl) ? ") implements " + unit.names.of(decl, "View") : ")") + " {");
  out.indent();
  declare_nested(out, unit, decl.contents);
  declare_read_write(out, unit, decl, layout);
  if (layout) {
    declare_constant_read(out, unit, decl, *layout);
    declare_constant_write(out, unit, decl, *layout);
    if (layout->stride != 0) declare_sequences(out, unit, decl, *layout);
  }
  if (std::any_of(members.begin(), members.end(),
                  [](const Member& member) { return has_arrays(*member.type); }))
    declare_equality(out, unit, type, members);
  declare_type_class(out, unit, decl, type, type + ".read(in)", "value.write(out);");
  if (!nested) unit.declare_types(out);
  out.outdent();
  out.line("}");
}

void declare_exception(Text& out, Unit& unit, const model::Exception& decl, bool nested) {
  const std::string type = unit.names.of(decl);
  const std::string override = override_of(unit);
  document(out, decl, decl.repository_id);
  out.line("@" + unit.names.lang("SuppressWarnings") + "(\"serial\")");
  out.line(public_class(nested, "final class ") + escaped(decl.name) + " extends org.tenon.UserException {");
  out.indent();
  out.line("public static final " + unit.names.lang("String") +
           " _ID = " + string_literal(decl.repository_id) + ";");
  declare_nested(out, unit, decl.contents);
  out.gap();
  for (const Member& member : decl.members)
    out.line("private final " + unit.type(*member.type) + " " + exception_member(member.name) + ";");
  out.gap();
  out.list("public " + escaped(decl.name) + "(", parameters_of(unit, decl.members, true), ") {");
  out.indent();
  for (const Member& member : decl.members) {
    const std::string name = exception_member(member.name);
    out.line("this." + name + " = " + name + ";");
  }
  out.outdent();
  out.line("}");
  for (const Member& member : decl.members) {
    const std::string name = exception_member(member.name);
    out.gap();
    out.line("public " + unit.type(*member.type) + " " + name + "() {");
    out.line("  return this." + name + ";");
    out.line("}");
  }
  std::vector<std::string> values;
  for (const Member& member : decl.members) values.push_back(unit.read(*member.type));
  out.gap();
  out.line("public static " + type + " read(org.tenon.CdrReader in) {");
  out.indent();
  out.list("return new " + type + "(", values, ");");
  out.outdent();
  out.line("}");
  out.gap();
  out.line(override);
  out.line("public void write(org.tenon.CdrWriter out) {");
  out.indent();
  for (const Member& member : decl.members)
    out.line(unit.write(*member.type, "this." + exception_member(member.name)));
  out.outdent();
  out.line("}");
  out.gap();
  out.line(override);
  out.line("public " + unit.names.lang("String") + " _id() {");
  out.line("  return _ID;");
  out.line("}");
  if (unit.any) {
    declare_type_class(out, unit, decl, type, type + ".read(in.passExceptionId(" + type + "._ID))",
                       "out.writeString(" + type + "._ID, 0);\nvalue.write(out);");
  }
  if (!nested) unit.declare_types(out);
  out.outdent();
  out.line("}");
}

void declare_nested(Text& out, Unit& unit, const std::vector<const model::Decl*>& contents) {
  for (const model::Decl* decl : contents) {
    out.gap();
    if (const auto* it = model::as<model::Enum>(decl)) declare_enum(out, unit, *it, true);
    if (const auto* it = model::as<model::Bitmask>(decl)) declare_bitmask(out, unit, *it, true);
    if (const auto* it = model::as<model::Bitset>(decl)) declare_bitset(out, unit, *it, true);
    if (const auto* it = model::as<model::Struct>(decl); it != nullptr && it->defined) {
      declare_struct(out, unit, *it, true);
      if (unit.views.has(*it)) declare_view(out, unit, *it, true);
    }
    if (const auto* it = model::as<model::Union>(decl); it != nullptr && it->defined)
      declare_union(out, unit, *it, true);
    if (const auto* it = model::as<model::Exception>(decl)) declare_exception(out, unit, *it, true);
    if (const auto* it = model::as<model::Typedef>(decl); it != nullptr && unit.any)
      declare_typedef(out, unit, *it, true);
    if (const auto* it = model::as<model::Constant>(decl)) declare_constant_field(out, unit, *it);
    out.gap();
  }
}

}  // namespace tenon::idl::java
