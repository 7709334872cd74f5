// SPDX-License-Identifier: Apache-2.0
//
// Structs as records, exceptions as classes, enums, bitmasks.
#include <algorithm>

#include "idl/backends/java/types.hpp"

namespace tenon::idl::java {

using model::Member;
using model::TypeKind;

namespace {

std::string public_class(bool nested, const char* what) {
  return std::string(nested ? "public static " : "public ") + what;
}

std::string override_of(const Unit& unit) { return "@" + unit.names.lang("Override"); }

// Statements that make `count` octets from `at` zero, in as few as their alignment lets.
void put_zeros(Text& out, std::uint32_t from, std::uint32_t to) {
  while (from < to) {
    std::uint32_t size = 1;
    while (size < 4 && from % (size * 2) == 0 && from + size * 2 <= to) size *= 2;
    const std::string place = from == 0 ? "at" : "at + " + std::to_string(from);
    if (size == 1) out.line("b.put(" + place + ", (byte) 0);");
    if (size == 2) out.line("b.putShort(" + place + ", (short) 0);");
    if (size == 4) out.line("b.putInt(" + place + ", 0);");
    from += size;
  }
}

bool is_char_or_boolean(const std::string& name) { return name == "Boolean" || name == "Char"; }

std::string write_at(const Unit& unit, const model::Type& written, const std::string& value,
                     std::uint32_t offset) {
  const model::Type& type = *model::resolve_aliases(&written);
  const std::string at = at_offset(offset);
  if (type.kind == TypeKind::Array)
    return "out." + unit.type(*type.element) + "sAt(" + at + ", " + value + ", " +
           std::to_string(type.dimensions.front()) + ");";
  if (type.kind == TypeKind::Fixed)
    return "out.fixedAt(" + at + ", " + value + ", " + std::to_string(type.digits) + ", " +
           std::to_string(type.scale) + ");";
  const std::string name = primitive_name(type);
  if (name.empty()) return value + ".writeAt(out, b, " + at + ");";
  if (is_char_or_boolean(name)) return "out." + unit.type(type) + "At(" + at + ", " + value + ");";
  return "b.put" + (name == "Byte" ? "" : name) + "(" + at + ", " + value + ");";
}

std::string block_arguments(const model::ConstantLayout& layout) {
  return std::to_string(layout.first) + ", " + std::to_string(layout.alignment) + ", ";
}

void declare_constant_read(Text& out, Unit& unit, const model::Struct& decl,
                           const model::ConstantLayout& layout) {
  const std::vector<Member> members = model::members_of(decl);
  std::vector<std::string> values;
  for (std::size_t i = 0; i < members.size(); ++i)
    values.push_back(read_at(unit, *members[i].type, at_offset(layout.offsets[i]), "in", "b"));
  out.gap();
  out.line("/** At a place of a block that has been checked. */");
  out.line("public static " + unit.names.of(decl) +
           " readAt(org.tenon.CdrReader in, java.nio.ByteBuffer b, int at) {");
  out.indent();
  out.list("return new " + unit.names.of(decl) + "(", values, ");");
  out.outdent();
  out.line("}");
}

// A member that is no struct, of a struct or of one inside it.
struct Leaf {
  std::string value;
  const model::Type* type = nullptr;
  std::uint32_t offset = 0;
  std::uint32_t end = 0;
};

// More than these are written by the structs inside: Java's compilers give up methods that are too long.
constexpr std::size_t most_leaves = 16;

// Appends what the struct consists of; structs inside it get variables, whose declarations go to `out`.
void append_leaves(Text& out, Unit& unit, const model::Struct& decl, const std::string& value,
                   std::uint32_t at, std::vector<Leaf>& leaves, std::size_t& variables) {
  const std::vector<Member> members = model::members_of(decl);
  const std::optional<model::ConstantLayout> layout = model::constant_layout(decl);
  for (std::size_t i = 0; i < members.size(); ++i) {
    const std::string name = escaped(members[i].name);
    const std::string member = value == "this" ? "this." + name : value + "." + name + "()";
    const model::Struct* inside = struct_of(*members[i].type);
    if (inside == nullptr) {
      leaves.push_back({member, members[i].type, at + layout->offsets[i], at + layout->ends[i]});
      continue;
    }
    const std::string variable = "_" + std::to_string(++variables);
    out.line(unit.names.of(*inside) + " " + variable + " = " + member + ";");
    append_leaves(out, unit, *inside, variable, at + layout->offsets[i], leaves, variables);
  }
}

std::size_t count_leaves(const model::Struct& decl) {
  std::size_t count = 0;
  for (const Member& member : model::members_of(decl)) {
    const model::Struct* inside = struct_of(*member.type);
    count += inside != nullptr ? count_leaves(*inside) : 1;
  }
  return count;
}

// How many leaves from `first` on are integers that lie side by side and are one larger integer together: 4 or 2 shorts, 2 ints; or 1.
std::size_t joined(const std::vector<Leaf>& leaves, std::size_t first) {
  const std::string name = primitive_name(*leaves[first].type);
  if (name != "Short" && name != "Int") return 1;
  const std::uint32_t size = name == "Short" ? 2 : 4;
  std::size_t count = 1;
  while (count * size < 8 && first + count < leaves.size() &&
         primitive_name(*leaves[first + count].type) == name &&
         leaves[first + count].offset == leaves[first].offset + count * size)
    ++count;
  return count == 3 ? 2 : count;
}

void declare_constant_write(Text& out, Unit& unit, const model::Struct& decl,
                            const model::ConstantLayout& layout) {
  out.gap();
  out.line("public void writeAt(org.tenon.CdrWriter out, java.nio.ByteBuffer b, int at) {");
  out.indent();
  std::vector<Leaf> leaves;
  std::size_t variables = 0;
  if (count_leaves(decl) <= most_leaves) {
    append_leaves(out, unit, decl, "this", 0, leaves, variables);
  } else {
    const std::vector<Member> members = model::members_of(decl);
    for (std::size_t i = 0; i < members.size(); ++i)
      leaves.push_back(
          {"this." + escaped(members[i].name), members[i].type, layout.offsets[i], layout.ends[i]});
  }
  std::uint32_t end = 0;
  for (std::size_t i = 0; i < leaves.size();) {
    put_zeros(out, end, leaves[i].offset);
    const std::size_t count = joined(leaves, i);
    if (count == 1) {
      out.line(write_at(unit, *leaves[i].type, leaves[i].value, leaves[i].offset));
    } else {
      std::vector<std::string> values;
      for (std::size_t j = i; j < i + count; ++j) values.push_back(leaves[j].value);
      const bool whole = leaves[i + count - 1].end - leaves[i].offset == 8;
      out.list(
          std::string("b.put") + (whole ? "Long(" : "Int(") + at_offset(leaves[i].offset) + ", out.joined(",
          values, "));");
    }
    i += count;
    end = leaves[i - 1].end;
  }
  out.outdent();
  out.line("}");
}

void declare_sequences(Text& out, Unit& unit, const model::Struct& decl,
                       const model::ConstantLayout& layout) {
  std::string between;
  if (layout.stride != layout.size) {
    between = "\n    if (i != count - 1) {\n";
    Text pads;
    put_zeros(pads, layout.size, layout.stride);
    std::string text = pads.str();
    text.pop_back();
    for (std::size_t from = 0; from != std::string::npos && from < text.size();) {
      const std::size_t to = text.find('\n', from);
      between += "      " + text.substr(from, to - from) + "\n";
      from = to == std::string::npos ? to : to + 1;
    }
    between += "    }";
  }
  const auto& names = unit.names;
  out.gap();
  out.add(R"(public static java.util.List<$type$> readSequence(org.tenon.CdrReader in, int bound) {
  $type$[] elements = new $type$[in.readLength($least$, bound)];
  int at = in.blocks(elements.length, $block$$stride$, $size$);
  if (at >= 0) {
    java.nio.ByteBuffer b = in.buffer();
    for (int i = 0; i < elements.length; ++i, at += $stride$) elements[i] = readAt(in, b, at);
  } else {
    for (int i = 0; i < elements.length; ++i) elements[i] = read(in);
  }
  return java.util.Arrays.asList(elements);
})",
          {{"type", names.of(decl)},
           {"least", std::to_string(unit.sizes.of(&decl))},
           {"size", std::to_string(layout.size)},
           {"stride", std::to_string(layout.stride)},
           {"block", block_arguments(layout)}});
  out.gap();
  out.add(
      R"(public static void writeSequence(org.tenon.CdrWriter out, java.util.List<$type$> values, int bound) {
  java.util.List<$type$> elements = org.tenon.CdrWriter.indexed(values);
  int count = elements.size();
  out.writeLength(count, bound);
  int at = out.blocks(count, $block$$stride$, $size$);
  if (at < 0) {
    for (int i = 0; i < count; ++i) elements.get(i).write(out);
    return;
  }
  java.nio.ByteBuffer b = out.buffer();
  for (int i = 0; i < count; ++i, at += $stride$) {
    elements.get(i).writeAt(out, b, at);$between$
  }
})",
      {{"type", names.of(decl)},
       {"size", std::to_string(layout.size)},
       {"stride", std::to_string(layout.stride)},
       {"between", between},
       {"block", block_arguments(layout)}});
}

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

}  // namespace

std::string at_offset(std::uint32_t offset) { return offset == 0 ? "at" : "at + " + std::to_string(offset); }

std::string read_at(const Unit& unit, const model::Type& written, const std::string& at,
                    const std::string& in, const std::string& buffer) {
  const model::Type& type = *model::resolve_aliases(&written);
  if (type.kind == TypeKind::Array)
    return in + "." + unit.type(*type.element) + "sAt(" + at + ", " +
           std::to_string(type.dimensions.front()) + ")";
  if (type.kind == TypeKind::Fixed)
    return in + ".fixedAt(" + at + ", " + std::to_string(type.digits) + ", " + std::to_string(type.scale) +
           ")";
  const std::string name = primitive_name(type);
  if (name.empty()) return unit.names.of(*type.decl) + ".readAt(" + in + ", " + buffer + ", " + at + ")";
  if (is_char_or_boolean(name)) return in + "." + unit.type(type) + "At(" + at + ")";
  return buffer + ".get" + (name == "Byte" ? "" : name) + "(" + at + ")";
}

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
  declare_type_class(out, unit, type, type + ".read(in)", "value.write(out);");
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
  declare_type_class(out, unit, type, type + ".read(in)", "value.write(out);");
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
    if (const auto* it = model::as<model::Constant>(decl)) declare_constant_field(out, unit, *it);
    out.gap();
  }
}

}  // namespace tenon::idl::java
