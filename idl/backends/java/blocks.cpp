// SPDX-License-Identifier: Apache-2.0
//
// Structs whose members lie at constant offsets, and sequences of them: read and written after one check.
#include "idl/backends/java/types.hpp"

namespace tenon::idl::java {

using model::Member;
using model::TypeKind;

namespace {

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

// A member that is no struct, of a struct or of one inside it.
struct Leaf {
  std::string value;
  const model::Type* type = nullptr;
  std::uint32_t offset = 0;
  std::uint32_t end = 0;
};

// More than these are read, or written, by the structs inside: Java's compilers do not inline methods that are too long.
constexpr std::size_t most_read = 32;
constexpr std::size_t most_written = 8;

std::string member_of(const std::string& value, const Member& member) {
  const std::string name = escaped(member.name);
  return value == "this" ? "this." + name : value + "." + name + "()";
}

// Appends what the struct consists of; structs inside it get variables, whose declarations go to `out`.
void append_leaves(Text& out, Unit& unit, const model::Struct& decl, const std::string& value,
                   std::uint32_t at, std::vector<Leaf>& leaves, std::size_t& variables) {
  const std::vector<Member> members = model::members_of(decl);
  const std::optional<model::ConstantLayout> layout = model::constant_layout(decl);
  for (std::size_t i = 0; i < members.size(); ++i) {
    const std::string member = member_of(value, members[i]);
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

// The same without variables.
void append_places(const model::Struct& decl, std::uint32_t at, std::vector<Leaf>& leaves) {
  const std::vector<Member> members = model::members_of(decl);
  const model::ConstantLayout layout = *model::constant_layout(decl);
  for (std::size_t i = 0; i < members.size(); ++i) {
    if (const model::Struct* inside = struct_of(*members[i].type)) {
      append_places(*inside, at + layout.offsets[i], leaves);
    } else {
      leaves.push_back({"", members[i].type, at + layout.offsets[i], at + layout.ends[i]});
    }
  }
}

// The members themselves, structs among them, of the record `value`.
std::vector<Leaf> own_leaves(const model::Struct& decl, const model::ConstantLayout& layout,
                             const std::string& value) {
  const std::vector<Member> members = model::members_of(decl);
  std::vector<Leaf> leaves;
  for (std::size_t i = 0; i < members.size(); ++i)
    leaves.push_back({member_of(value, members[i]), members[i].type, layout.offsets[i], layout.ends[i]});
  return leaves;
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

// Declares a variable for each group of integers that are read as one, the first one in its lowest bits. What reads each leaf goes to
// `values`.
void declare_joined_reads(Text& out, const Unit& unit, const std::vector<Leaf>& leaves,
                          std::vector<std::string>& values) {
  for (std::size_t i = 0; i < leaves.size();) {
    const std::size_t count = leaves.size() > 2 ? joined(leaves, i) : 1;
    const std::string at = at_offset(leaves[i].offset);
    if (count == 1) {
      values.push_back(read_at(unit, *leaves[i].type, at, "in", "b"));
      ++i;
      continue;
    }
    const std::uint32_t size = leaves[i].end - leaves[i].offset;
    const bool whole = size * count == 8;
    const std::string variable = "_" + std::to_string(i);
    const std::string one = size == 2 ? "short" : "int";
    out.line(std::string(whole ? "long " : "int ") + variable + " = in." + one + "s(b.get" +
             (whole ? "Long(" : "Int(") + at + "));");
    for (std::size_t j = 0; j < count; ++j)
      values.push_back("(" + one + ") " +
                       (j == 0 ? variable : "(" + variable + " >> " + std::to_string(8 * size * j) + ")"));
    i += count;
  }
}

// The expression that makes the struct out of what its leaves are read by, of which `next` is the first.
std::string constructed(const Unit& unit, const model::Struct& decl, const std::vector<std::string>& values,
                        std::size_t& next) {
  std::vector<std::string> arguments;
  for (const Member& member : model::members_of(decl)) {
    const model::Struct* inside = struct_of(*member.type);
    arguments.push_back(inside != nullptr ? constructed(unit, *inside, values, next) : values[next++]);
  }
  return "new " + unit.names.of(decl) + "(" + cpp::join(arguments, ", ") + ")";
}

// Statements that write them, and zeros between them.
void write_leaves(Text& out, const Unit& unit, const std::vector<Leaf>& leaves) {
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
}

// The loop over `elements`. What is inlined into it is worth more than what is called by it.
void declare_writing_loop(Text& out, Unit& unit, const model::Struct& decl,
                          const model::ConstantLayout& layout) {
  const std::string type = unit.names.of(decl);
  const std::size_t count = count_leaves(decl);
  std::vector<Leaf> leaves;
  append_places(decl, 0, leaves);
  if (layout.size == 4 && layout.stride == 4 && count > 1 && joined(leaves, 0) == count) {
    std::vector<std::string> values;
    for (const char* one : {"_x", "_y"}) {
      std::size_t variables = 0;
      std::vector<Leaf> of_one;
      Text none;
      append_leaves(none, unit, decl, one, 0, of_one, variables);
      for (const Leaf& leaf : of_one) values.push_back(leaf.value);
    }
    out.line("int i = 0;");
    out.line("for (; i < count - 1; i += 2, at += 8) {  // two are one access");
    out.line("  " + type + " _x = elements.get(i);");
    out.line("  " + type + " _y = elements.get(i + 1);");
    out.line("  b.putLong(at, out.joined(" + cpp::join(values, ", ") + "));");
    out.line("}");
    out.line("if (i < count) elements.get(i).writeAt(out, b, at);");
    return;
  }
  out.line("for (int i = 0; i < count; ++i, at += " + std::to_string(layout.stride) + ") {");
  out.indent();
  if (count > 2 * most_written) {
    out.line(type + " _x = elements.get(i);");
    write_leaves(out, unit, own_leaves(decl, layout, "_x"));
  } else {
    out.line("elements.get(i).writeAt(out, b, at);");
  }
  if (layout.stride != layout.size) {
    out.line("if (i != count - 1) {");
    out.indent();
    put_zeros(out, layout.size, layout.stride);
    out.outdent();
    out.line("}");
  }
  out.outdent();
  out.line("}");
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

std::string block_arguments(const model::ConstantLayout& layout) {
  return std::to_string(layout.first) + ", " + std::to_string(layout.alignment) + ", ";
}

void declare_constant_read(Text& out, Unit& unit, const model::Struct& decl,
                           const model::ConstantLayout& layout) {
  out.gap();
  out.line("/** At a place of a block that has been checked. */");
  out.line("public static " + unit.names.of(decl) +
           " readAt(org.tenon.CdrReader in, java.nio.ByteBuffer b, int at) {");
  out.indent();
  std::vector<Leaf> leaves;
  const bool flat = count_leaves(decl) <= most_read;
  if (flat) {
    append_places(decl, 0, leaves);
  } else {
    leaves = own_leaves(decl, layout, "this");
  }
  std::vector<std::string> values;
  declare_joined_reads(out, unit, leaves, values);
  if (flat) {
    std::size_t next = 0;
    out.line("return " + constructed(unit, decl, values, next) + ";");
  } else {
    out.list("return new " + unit.names.of(decl) + "(", values, ");");
  }
  out.outdent();
  out.line("}");
}

void declare_constant_write(Text& out, Unit& unit, const model::Struct& decl,
                            const model::ConstantLayout& layout) {
  out.gap();
  out.line("public void writeAt(org.tenon.CdrWriter out, java.nio.ByteBuffer b, int at) {");
  out.indent();
  std::vector<Leaf> leaves;
  std::size_t variables = 0;
  if (count_leaves(decl) <= most_written) {
    append_leaves(out, unit, decl, "this", 0, leaves, variables);
  } else {
    leaves = own_leaves(decl, layout, "this");
  }
  write_leaves(out, unit, leaves);
  out.outdent();
  out.line("}");
}

void declare_sequences(Text& out, Unit& unit, const model::Struct& decl,
                       const model::ConstantLayout& layout) {
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
  out.line("public static void writeSequence(org.tenon.CdrWriter out, java.util.List<" + names.of(decl) +
           "> values, int bound) {");
  out.indent();
  out.add(
      R"(java.util.List<$type$> elements = org.tenon.CdrWriter.indexed(values);
int count = elements.size();
out.writeLength(count, bound);
int at = out.blocks(count, $block$$stride$, $size$);
if (at < 0) {
  for (int i = 0; i < count; ++i) elements.get(i).write(out);
  return;
}
java.nio.ByteBuffer b = out.buffer();)",
      {{"type", names.of(decl)},
       {"size", std::to_string(layout.size)},
       {"stride", std::to_string(layout.stride)},
       {"block", block_arguments(layout)}});
  declare_writing_loop(out, unit, decl, layout);
  out.outdent();
  out.line("}");
}

}  // namespace tenon::idl::java
