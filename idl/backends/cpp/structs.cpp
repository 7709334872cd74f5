// SPDX-License-Identifier: Apache-2.0
//
// Structs and exceptions (IDL to C++11 1.6 §6.11, §6.20): a class with an accessor triple per member. A struct that is a block
// keeps CDR order with explicit zeroed padding, so that sequences of it move as one piece of memory.
#include <algorithm>
#include <set>

#include "idl/backends/cpp/emit.hpp"
#include "idl/backends/cpp/stub_kinds.hpp"
#include "idl/backends/cpp/tables.hpp"

namespace tenon::idl::cpp {

using model::Member;

std::vector<std::string> data_names(const std::string& class_name, const std::vector<Member>& members) {
  std::set<std::string> taken{class_name};
  for (const Member& member : members) taken.insert(escaped(member.name));
  std::vector<std::string> names;
  for (const Member& member : members) {
    std::string name = escaped(member.name) + "_";
    if (taken.contains(name)) name += "value_";
    names.push_back(name);
  }
  return names;
}

void declare_accessors(Text& out, const Member& member, const std::string& data) {
  const std::string name = escaped(member.name);
  const std::string type = cpp_type(*member.type);
  out.gap();
  if (is_scalar(*member.type)) {
    out.add(R"(void $name$($type$ value) { $data$ = value; }
$type$ $name$() const { return $data$; }
$type$& $name$() { return $data$; })",
            {{"name", name}, {"type", type}, {"data", data}});
    return;
  }
  out.add(R"(void $name$(const $type$& value) { $data$ = value; }
void $name$($type$&& value) { $data$ = std::move(value); }
const $type$& $name$() const { return $data$; }
$type$& $name$() { return $data$; })",
          {{"name", name}, {"type", type}, {"data", data}});
}

namespace {

std::string moved(const Member& member) {
  const std::string name = escaped(member.name);
  return is_scalar(*member.type) ? name : "std::move(" + name + ")";
}

std::vector<Member> inherited_members(const model::Struct& decl) {
  if (decl.base == nullptr) return {};
  std::vector<Member> members = inherited_members(*decl.base);
  members.insert(members.end(), decl.base->members.begin(), decl.base->members.end());
  return members;
}

// The members of an exception. Its class has std::exception::what(), so a member named "what" is renamed as a C++ keyword would be. No
// other name in the class can be that of a member.
std::vector<Member> exception_members(const model::Exception& decl) {
  std::vector<Member> members = decl.members;
  for (Member& member : members) {
    if (member.name == "what") member.name = "_cxx_what";
  }
  return members;
}

bool comparable(const std::vector<Member>& members) {
  return std::none_of(members.begin(), members.end(),
                      [](const Member& member) { return model::contains_any(member.type); });
}

}  // namespace

void declare_equality(Text& out, const std::string& name, bool has) {
  if (!has)
    out.line(
        "// There is no == for an any, so there is none for what has one inside (DynAny::equal compares "
        "anys).");
  out.line("bool operator==(const " + name + "&) const = " + (has ? "default;" : "delete;"));
}

void declare_constructor(Text& out, const std::string& name, const std::vector<Member>& inherited,
                         const std::string& base, const std::vector<Member>& members,
                         const std::vector<std::string>& data) {
  std::vector<std::string> parameters;
  std::vector<std::string> base_arguments;
  std::vector<std::string> initialisers;
  for (const Member& member : inherited) {
    parameters.push_back(cpp_type(*member.type) + " " + escaped(member.name));
    base_arguments.push_back(moved(member));
  }
  if (!inherited.empty()) initialisers.push_back(base + "(" + join(base_arguments, ", ") + ")");
  for (std::size_t i = 0; i < members.size(); ++i) {
    parameters.push_back(cpp_type(*members[i].type) + " " + escaped(members[i].name));
    initialisers.push_back(data[i] + "(" + moved(members[i]) + ")");
  }
  if (parameters.empty()) return;
  const std::string whole =
      "explicit " + name + "(" + join(parameters, ", ") + ") : " + join(initialisers, ", ") + " {}";
  if (whole.size() + 4 <= Text::widest) return out.line(whole);
  out.list("explicit " + name + "(", parameters, ")");
  out.indent();
  out.indent();
  out.list(": ", initialisers, " {}");
  out.outdent();
  out.outdent();
}

void declare_struct(Text& out, const Context& context, const model::Struct& decl) {
  const std::string name = escaped(decl.name);
  const std::vector<std::string> data = data_names(escaped(decl.name), decl.members);
  const std::string base = decl.base != nullptr ? qualified(*decl.base) : "";
  const BlockLayout* block = context.blocks.of(decl);

  out.line("class " + name + (base.empty() ? "" : " : public " + base) + " {");
  out.line("public:");
  out.indent();
  for (const model::Decl* nested : decl.contents) declare(out, context, *nested);
  out.gap();
  out.line(name + "() = default;");
  const std::vector<Member> inherited = inherited_members(decl);
  declare_constructor(out, name, inherited, base, decl.members, data);
  for (std::size_t i = 0; i < decl.members.size(); ++i) declare_accessors(out, decl.members[i], data[i]);
  out.gap();
  out.line("void swap(" + name + "& other) { std::swap(*this, other); }");
  declare_equality(out, name, comparable(inherited) && comparable(decl.members));
  out.outdent();
  if (!decl.members.empty()) {
    out.gap();
    out.line("private:");
  }
  out.indent();
  if (context.kinds.interpreted(decl)) {
    befriend_tables(out, context);
  } else if (block != nullptr) {
    out.line("friend struct ::tenon::gen::Codec<" + name + ">;");
    out.gap();
  }
  std::size_t pads = 0;
  const auto pad = [&](std::uint64_t bytes) {
    if (bytes != 0)
      out.line("std::uint8_t _pad" + std::to_string(++pads) + "[" + std::to_string(bytes) + "]{};");
  };
  for (std::size_t i = 0; i < decl.members.size(); ++i) {
    if (block != nullptr) pad(block->padding[i]);
    out.line(cpp_type(*decl.members[i].type) + " " + data[i] + "{" + initial(*decl.members[i].type) + "};");
  }
  if (block != nullptr) pad(block->padding.back());
  out.outdent();
  out.line("};");
}

void declare_exception(Text& out, const Context& context, const model::Exception& decl) {
  const std::string name = escaped(decl.name);
  const std::vector<std::string> data = data_names(escaped(decl.name), decl.members);
  out.line("class " + name + " : public ::CORBA::UserException {");
  out.line("public:");
  out.indent();
  out.line("static constexpr std::string_view _static_id = \"" + decl.repository_id + "\";");
  for (const model::Decl* nested : decl.contents) declare(out, context, *nested);
  out.gap();
  out.line(name + "() = default;");
  declare_constructor(out, name, {}, "", decl.members, data);
  const std::vector<Member> members = exception_members(decl);
  for (std::size_t i = 0; i < members.size(); ++i) declare_accessors(out, members[i], data[i]);
  out.gap();
  out.add(R"(std::string_view _rep_id() const noexcept override { return _static_id; }
std::string_view _name() const noexcept override { return "$name$"; }
[[noreturn]] void _raise() const override { throw *this; }
void _put(::tenon::cdr::Writer& out) const override;)",
          {{"name", decl.name}});
  declare_member_text(out, decl.members);
  out.outdent();
  if (!decl.members.empty()) {
    out.gap();
    out.line("private:");
    out.indent();
    if (context.kinds.interpreted(decl)) befriend_tables(out, context);
    for (std::size_t i = 0; i < decl.members.size(); ++i) {
      out.line(cpp_type(*decl.members[i].type) + " " + data[i] + "{" + initial(*decl.members[i].type) + "};");
    }
    out.outdent();
  }
  out.line("};");
}

// --- codecs ---

void declare_plain_codec(Text& out, const model::Decl& decl, std::uint64_t smallest) {
  out.add(R"(template <>
struct Codec<$type$> {
  using value_type = $type$;
  static constexpr std::size_t smallest = $smallest$;
  static void put(cdr::Writer& out, const value_type& value);
  static void get(cdr::Reader& in, value_type& value);
};)",
          {{"type", qualified(decl)}, {"smallest", std::to_string(smallest)}});
}

void declare_program_codec(Text& out, const Context& context, const model::Decl& decl, std::uint64_t smallest,
                           const char* inside) {
  const std::string type = qualified(decl);
  out.line("template <>");
  const std::string base = "Program<" + type + ", " + context.tables->name() + ", " +
                           std::to_string(context.tables->type(decl)) + ", " + std::to_string(smallest) + ">";
  const bool empty = *inside == '\0';
  out.line("struct Codec<" + type + "> : " + base + (empty ? " {};" : " {"));
  if (empty) return;
  out.indent();
  out.add(inside);
  out.outdent();
  out.line("};");
}

void befriend_tables(Text& out, const Context& context) {
  out.line("friend struct ::tenon::gen::" + context.tables->name() + ";");
  out.gap();
}

namespace {

// Null if the struct is no block, or one that is too large to be checked by masks.
const BlockLayout* codec_block(const Context& context, const model::Struct& decl) {
  const BlockLayout* block = context.blocks.of(decl);
  if (block != nullptr && block->checked() && block->end > cdr::Block::largest) return nullptr;
  return block;
}

marshal::BlockParts parts_of(const Context& context, const model::Struct& decl, const BlockLayout& block) {
  marshal::BlockParts parts;
  context.blocks.add_parts(parts, decl.members, block, cdr::Block::largest);
  return parts;
}

}  // namespace

void declare_struct_codec(Text& out, const Context& context, const model::Struct& decl) {
  const std::uint64_t smallest = context.smallest(&decl);
  if (context.kinds.interpreted(decl)) return declare_program_codec(out, context, decl, smallest);
  const BlockLayout* block = codec_block(context, decl);
  if (block == nullptr) return declare_plain_codec(out, decl, smallest);
  out.add(R"(template <>
struct Codec<$type$> {
  using value_type = $type$;
  static constexpr std::size_t smallest = $smallest$;
  static const cdr::Block block;
  static void put(cdr::Writer& out, const value_type& value) noexcept;
  static void get(cdr::Reader& in, value_type& value) noexcept;)",
          {{"type", qualified(decl)}, {"smallest", std::to_string(smallest)}});
  if (block->checked()) {
    const marshal::BlockParts parts = parts_of(context, decl, *block);
    out.gap();
    out.line("private:");
    out.indent();
    out.line("static const cdr::Masks<" + std::to_string(block->end) + "> masks;");
    if (!parts.enumerations().empty()) {
      out.line("static const cdr::EnumerationAt enumerations[" + std::to_string(parts.enumerations().size()) +
               "];");
    }
    out.outdent();
  }
  out.line("};");
}

void declare_exception_codec(Text& out, const Context& context, const model::Exception& decl) {
  if (context.kinds.interpreted(decl))
    return declare_program_codec(out, context, decl, context.smallest(&decl));
  declare_plain_codec(out, decl, context.smallest(&decl));
}

void put_members(Text& out, const Context& context, const std::vector<Member>& members) {
  for (const Member& member : members) {
    out.line(put_statement(*member.type, "value." + escaped(member.name) + "()", context.names.gen));
  }
}

void get_members(Text& out, const Context& context, const std::vector<Member>& members) {
  for (const Member& member : members) {
    out.line(get_statement(*member.type, "value." + escaped(member.name) + "()", context.names.gen));
  }
}

namespace {

// put and get of a class; `body` is given the statements of each.
template <typename Put, typename Get>
void define_put_get(Text& out, const Context& context, const model::Decl& decl, const char* suffix,
                    bool empty, Put put, Get get) {
  const std::string codec = context.names.gen + "::Codec<" + qualified(decl) + ">";
  const bool guarded = model::is_recursive(&decl);
  if (empty) {
    out.line("void " + codec + "::put(" + context.names.writer + "&, const value_type&)" + suffix + " {}");
    out.gap();
    out.line("void " + codec + "::get(" + context.names.reader + "&, value_type&)" + suffix + " {}");
    return;
  }
  out.line("void " + codec + "::put(" + context.names.writer + "& out, const value_type& value)" + suffix +
           " {");
  out.indent();
  put();
  out.outdent();
  out.line("}");
  out.gap();
  out.line("void " + codec + "::get(" + context.names.reader + "& in, value_type& value)" + suffix + " {");
  out.indent();
  if (guarded) out.line("if (!in.enter()) return;");
  get();
  if (guarded) out.line("in.leave();");
  out.outdent();
  out.line("}");
}

// Defines the block by which sequences of the struct are moved.
void define_block(Text& out, const Context& context, const model::Struct& decl, const BlockLayout& block) {
  const auto constant = [&](const std::string& type, const std::string& name) {
    const std::string whole = context.names.gen + "::Codec<" + qualified(decl) + ">::" + name;
    // "T ::a::b" would be one name.
    return "constinit " + (whole.starts_with("::") ? type + " const " : "const " + type + " ") + whole;
  };
  std::vector<std::string> fields{".size = " + std::to_string(block.size),
                                  ".bytes = " + std::to_string(block.end),
                                  ".align = " + std::to_string(block.align)};
  if (block.has_chars) fields.emplace_back(".has_chars = true");
  if (block.checked()) {
    const marshal::BlockParts parts = parts_of(context, decl, block);
    const std::string letters = mask_letters(parts.masks());
    out.line(constant("::tenon::cdr::Masks<" + std::to_string(block.end) + ">", "masks") + "{");
    out.indent();
    for (std::size_t first = 0; first < letters.size(); first += 64)
      out.line("\"" + letters.substr(first, 64) + (first + 64 < letters.size() ? "\"" : "\"};"));
    out.outdent();
    fields.emplace_back(".masks = masks.bytes");
    if (!parts.enumerations().empty()) {
      std::vector<std::string> places;
      for (const cdr::EnumerationAt& one : parts.enumerations())
        places.push_back("{" + std::to_string(one.offset) + ", " + std::to_string(one.enumerators) + "}");
      out.list(constant("::tenon::cdr::EnumerationAt", "enumerations[]") + " = {", places, "};");
      fields.emplace_back(".enumerations = enumerations");
    }
  }
  out.list(constant("::tenon::cdr::Block", "block") + "{", fields, "};");
}

}  // namespace

void define_struct_codec(Text& out, const Context& context, const model::Struct& decl) {
  if (context.kinds.interpreted(decl)) return;
  const std::string& gen = context.names.gen;
  const BlockLayout* block = codec_block(context, decl);
  out.line("// " + place(context.program, decl));
  if (block == nullptr) {
    const bool empty = decl.members.empty() && decl.base == nullptr;
    const auto base = [&](const char* function, const char* stream) {
      if (decl.base != nullptr) {
        out.line(gen + "::Codec<" + qualified(*decl.base) + ">::" + function + "(" + stream + ", value);");
      }
    };
    define_put_get(
        out, context, decl, "", empty,
        [&] {
          base("put", "out");
          put_members(out, context, decl.members);
        },
        [&] {
          base("get", "in");
          get_members(out, context, decl.members);
        });
    return;
  }
  const std::vector<std::string> data = data_names(escaped(decl.name), decl.members);
  out.line("static_assert(sizeof(" + qualified(decl) + ") == " + std::to_string(block->size) +
           " && std::is_trivially_copyable_v<" + qualified(decl) + ">);");
  define_block(out, context, decl, *block);
  out.gap();
  define_put_get(
      out, context, decl, " noexcept", false,
      [&] {
        for (std::size_t i = 0; i < data.size(); ++i)
          out.line(put_statement(*decl.members[i].type, "value." + data[i], gen));
      },
      [&] {
        for (std::size_t i = 0; i < data.size(); ++i)
          out.line(get_statement(*decl.members[i].type, "value." + data[i], gen));
      });
}

void define_exception_codec(Text& out, const Context& context, const model::Exception& decl) {
  if (context.kinds.interpreted(decl)) return;
  out.line("// " + place(context.program, decl));
  define_put_get(
      out, context, decl, "", decl.members.empty(),
      [&] { put_members(out, context, exception_members(decl)); },
      [&] { get_members(out, context, exception_members(decl)); });
}

void define_exception(Text& out, const Context& context, const model::Exception& decl) {
  out.gap();
  out.line("void " + in_namespace(decl) + "::_put(" + context.names.writer + "& out) const { " +
           context.names.gen + "::Codec<" + qualified(decl) + ">::put(out, *this); }");
  out.gap();
}

}  // namespace tenon::idl::cpp
