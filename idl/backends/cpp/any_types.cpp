// SPDX-License-Identifier: Apache-2.0
//
// TypeCodes are constants that refer to each other by name, in a circle where types are recursive:
//
//   constexpr ::tenon::types::Member members_1[] = {{"value", &...basic_type<...tk_long>}, {"children", &type_1}};
//   constinit const ::tenon::types::TypeCode M::_type_Node{::tenon::types::struct_type("IDL:M/Node:1.0", "Node", members_1)};
//
// _tc_Node, which programs use, is a CORBA::TypeCodeRef to the node. Types without a name in IDL are numbered. Types that the ORB's own
// headers declare, and interfaces that are only declared forward, have no constant to refer to and are written out.
#include "idl/backends/cpp/any_types.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "idl/backends/cpp/walk.hpp"

namespace tenon::idl::cpp {
namespace {

using model::Decl;
using model::DeclKind;
using model::Type;
using model::TypeKind;

bool in_class(const Decl& decl) { return decl.parent != nullptr && decl.parent->kind != DeclKind::Module; }

// "::M::"
std::string scope(const Decl& decl) {
  return (decl.parent != nullptr ? qualified(*decl.parent) : std::string()) + "::";
}

// "::M::_type_Card"
std::string node(const Decl& decl) { return scope(decl) + "_type_" + decl.name; }

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + '"';
}

std::string list(const std::vector<std::string>& parts) { return join(parts, ", "); }

// A call of one of types/typecode.hpp's functions.
std::string make(const char* function, const std::vector<std::string>& arguments) {
  return std::string("::tenon::types::") + function + "_type(" + list(arguments) + ")";
}

// The node of a kind without parameters.
std::string basic_type(const char* kind) {
  return std::string("::tenon::gen::basic_type<::tenon::types::Kind::tk_") + kind + ">";
}

// Empty: none of them.
std::string basic_node(TypeKind kind) {
  switch (kind) {
    case TypeKind::Boolean: return basic_type("boolean");
    case TypeKind::Char: return basic_type("char");
    case TypeKind::WChar: return basic_type("wchar");
    case TypeKind::Octet:
    case TypeKind::Int8:
    case TypeKind::UInt8: return basic_type("octet");
    case TypeKind::Short: return basic_type("short");
    case TypeKind::UShort: return basic_type("ushort");
    case TypeKind::Long: return basic_type("long");
    case TypeKind::ULong: return basic_type("ulong");
    case TypeKind::LongLong: return basic_type("longlong");
    case TypeKind::ULongLong: return basic_type("ulonglong");
    case TypeKind::Float: return basic_type("float");
    case TypeKind::Double: return basic_type("double");
    case TypeKind::LongDouble: return basic_type("longdouble");
    case TypeKind::Any: return basic_type("any");
    case TypeKind::TypeCode: return basic_type("TypeCode");
    case TypeKind::Object: return "::tenon::gen::object_type";
    case TypeKind::ValueBase: return "::tenon::gen::value_base_type";
    default: return {};
  }
}

// A label as types::Member keeps it: sign-extended to 64 bits.
std::string label_number(const model::Value& value) {
  switch (value.kind) {
    case model::ValueKind::Integer:
      // not a literal: -9223372036854775808 would be a minus before a number that is too large
      return value.integer < 0
                 ? "~std::uint64_t{" + std::to_string(~static_cast<std::uint64_t>(value.integer)) + "}"
                 : std::to_string(value.integer);
    case model::ValueKind::Unsigned: return std::to_string(value.unsigned_integer) + "U";
    case model::ValueKind::Boolean: return value.boolean ? "1" : "0";
    case model::ValueKind::Char:
    case model::ValueKind::WChar: return std::to_string(value.character);
    case model::ValueKind::Enumerator: return std::to_string(value.enumerator->ordinal);
    default: return "0";
  }
}

class TypeCodes {
 public:
  // Unnamed parts, in an order in which each follows what it needs.
  Text parts;
  // Files whose constants are referred to.
  std::set<std::uint32_t> files;
  // Whether any of the types has a map.
  bool maps = false;

  // What makes the TypeCode of a declaration.
  std::string definition(const Decl& decl) {
    if (const auto* it = model::as<model::Struct>(&decl))
      return make("struct", named(decl, members(all_members(*it))));
    if (const auto* it = model::as<model::Exception>(&decl))
      return make("exception", named(decl, members(it->members)));
    if (const auto* it = model::as<model::Union>(&decl)) return union_definition(*it);
    if (const auto* it = model::as<model::Typedef>(&decl))
      return make("alias", named(decl, reference(*it->type)));
    if (const auto* it = model::as<model::Bitmask>(&decl))
      return make("alias", named(decl, basic_node(it->carrier)));
    if (const auto* it = model::as<model::Bitset>(&decl))
      return make("alias", named(decl, basic_node(it->carrier)));
    if (const auto* it = model::as<model::Enum>(&decl)) {
      std::vector<std::string> names;
      for (const model::Enumerator* enumerator : it->enumerators)
        names.push_back("{" + quoted(enumerator->name) + "}");
      return make("enum", named(decl, member_array(names)));
    }
    if (const auto* it = model::as<model::ValueType>(&decl)) return value_definition(*it);
    if (const auto* it = model::as<model::ValueBox>(&decl))
      return make("box", named(decl, reference(*it->type)));
    const auto* interface = model::as<model::Interface>(&decl);
    const std::string kind = interface == nullptr  ? "tk_native"
                             : interface->local    ? "tk_local_interface"
                             : interface->abstract ? "tk_abstract_interface"
                                                   : "tk_objref";
    return make("named", {"::tenon::types::Kind::" + kind, quoted(decl.repository_id), quoted(decl.name)});
  }

  // An expression for a reference to the TypeCode of a type, or of a declaration.
  std::string value_of(const Type& type) { return "::CORBA::TypeCodeRef{" + reference(type) + "}"; }
  std::string value_of(const Decl& decl) { return "::CORBA::TypeCodeRef{" + declared(decl) + "}"; }

 private:
  static std::vector<std::string> named(const Decl& decl, const std::string& rest) {
    return {quoted(decl.repository_id), quoted(decl.name), rest};
  }

  static std::vector<model::Member> all_members(const model::Struct& decl) {
    std::vector<model::Member> members;
    if (decl.base != nullptr) members = all_members(*decl.base);
    members.insert(members.end(), decl.members.begin(), decl.members.end());
    return members;
  }

  // An expression that names the TypeCode of a type.
  std::string reference(const Type& type) {
    if (std::string name = basic_node(type.kind); !name.empty()) return name;
    const std::string bound = std::to_string(type.bound);
    switch (type.kind) {
      case TypeKind::String: return type.bound == 0 ? basic_type("string") : part(make("string", {bound}));
      case TypeKind::WString: return type.bound == 0 ? basic_type("wstring") : part(make("wstring", {bound}));
      case TypeKind::Fixed:
        return part(make("fixed", {std::to_string(type.digits), std::to_string(type.scale)}));
      case TypeKind::Sequence: return part(make("sequence", {reference(*type.element), bound}));
      case TypeKind::Map: return part(make("sequence", {map_entry(type), bound}));
      case TypeKind::Array: {
        std::string element = reference(*type.element);
        for (auto size = type.dimensions.rbegin(); size != type.dimensions.rend(); ++size) {
          element = part(make("array", {element, std::to_string(*size)}));
        }
        return element;
      }
      default: break;
    }
    return declared(*type.decl);
  }

  std::string declared(const Decl& decl) {
    const auto* interface = model::as<model::Interface>(&decl);
    const bool only_declared = interface != nullptr && !interface->defined;
    if (decl.provided_by_orb || decl.kind == DeclKind::Native || only_declared) return part(definition(decl));
    if (!decl.in_main_file) files.insert(decl.location.file);
    return node(decl);
  }

  // GIOP has no map: a sequence of structs without a name.
  std::string map_entry(const Type& type) {
    maps = true;
    const std::string key = "{\"key\", &" + reference(*type.key) + "}";
    const std::string value = "{\"value\", &" + reference(*type.element) + "}";
    return part(make("struct", {"\"\"", "\"\"", member_array({key, value})}));
  }

  std::string members(const std::vector<model::Member>& list) {
    std::vector<std::string> parts_of;
    for (const model::Member& member : list) {
      parts_of.push_back("{" + quoted(member.name) + ", &" + reference(*member.type) + "}");
    }
    return member_array(parts_of);
  }

  std::string union_definition(const model::Union& decl) {
    std::vector<std::string> cases;
    std::string default_index = "-1";
    for (const model::UnionCase& one : decl.cases) {
      const std::string start = "{" + quoted(one.member.name) + ", &" + reference(*one.member.type) + ", ";
      for (const model::Value& label : one.labels) cases.push_back(start + label_number(label) + "}");
      if (!one.is_default) continue;
      default_index = std::to_string(cases.size());
      cases.push_back(start + "0}");
    }
    const std::string discriminator = reference(*decl.discriminator);
    return make("union", {quoted(decl.repository_id), quoted(decl.name), discriminator, default_index,
                          member_array(cases)});
  }

  std::string value_definition(const model::ValueType& decl) {
    std::vector<std::string> state;
    for (const model::StateMember* member : decl.state) {
      state.push_back("{" + quoted(member->name) + ", &" + reference(*member->type) +
                      ", 0, ::tenon::types::Visibility::" +
                      (member->is_public ? "public_member" : "private_member") + "}");
    }
    const char* modifier = decl.custom        ? "custom"
                           : decl.abstract    ? "abstract"
                           : decl.truncatable ? "truncatable"
                                              : "none";
    std::string base = "nullptr";
    if (!decl.bases.empty() && !decl.bases.front()->abstract) base = "&" + declared(*decl.bases.front());
    return make("value", {quoted(decl.repository_id), quoted(decl.name),
                          std::string("::tenon::types::Modifier::") + modifier, base, member_array(state)});
  }

  std::string member_array(const std::vector<std::string>& entries) {
    if (entries.empty()) return "{}";
    const std::string name = "members_" + std::to_string(++arrays_);
    parts.list("constexpr ::tenon::types::Member " + name + "[] = {", entries, "};");
    return support + name;
  }

  // The same unnamed type is one constant.
  std::string part(const std::string& expression) {
    const auto [place, fresh] = known_.try_emplace(expression);
    if (fresh) {
      const std::string name = "type_" + std::to_string(known_.size());
      parts.line("constexpr ::tenon::types::TypeCode " + name + " = " + expression + ";");
      place->second = support + name;
    }
    return place->second;
  }

  static constexpr const char* support = "::tenon::gen::";

  std::map<std::string, std::string> known_;
  unsigned arrays_ = 0;
};

using Decls = std::vector<const Decl*>;

// How an Any takes values of the declared type; nothing for what cannot travel, or what has no C++ type of its own.
void declare_any_type(Text& out, const Decl& decl) {
  Type type;
  type.kind = TypeKind::Named;
  type.decl = &decl;
  const auto* interface = model::as<model::Interface>(&decl);
  if (decl.kind == DeclKind::Typedef || (decl.kind != DeclKind::Exception && model::is_local(&type))) return;
  const std::string name = qualified(decl);
  const bool is_value = decl.kind == DeclKind::ValueType || decl.kind == DeclKind::ValueBox;
  const std::string value =
      interface != nullptr || is_value ? "::CORBA::object_reference<" + name + ">" : name;
  const std::string codec = is_value                           ? "Value<" + name + ">"
                            : decl.kind == DeclKind::Exception ? "ExceptionInAny<" + name + ">"
                            : interface == nullptr             ? "Codec<" + name + ">"
                            : interface->abstract              ? "AbstractReference<" + name + ">"
                                                               : "Reference<" + name + ">";
  out.add("template <>\nstruct AnyType<$value$> : AnyOf<$node$, $codec$> {};",
          {{"value", value}, {"node", node(decl)}, {"codec", codec}});
}

// Declares the nodes of what modules declare, and references to them if wanted.
void declare_constants(Text& out, const Context& context, bool references) {
  in_modules(out, context.program.roots, [references](Text& text, const Decl& decl) {
    if (!has_type_constant(decl)) return;
    text.line("extern const ::tenon::types::TypeCode _type_" + decl.name + ";");
    if (references)
      text.line("inline constexpr ::CORBA::TypeCodeRef _tc_" + decl.name + "{_type_" + decl.name + "};");
  });
}

// The interfaces whose stubs and skeletons interceptors can be shown; none unless that is asked for.
std::vector<const model::Interface*> shown_interfaces(const Context& context) {
  std::vector<const model::Interface*> all;
  if (!context.options.signatures) return all;
  each_decl(context.program.roots, [&](const Decl& decl) {
    const auto* interface = model::as<model::Interface>(&decl);
    if (interface != nullptr && interface->defined && !interface->local && interface->handles == nullptr)
      all.push_back(interface);
  });
  return all;
}

std::string signatures_head(const model::Interface& interface) {
  return "std::vector<OperationSignature> operation_signatures<" + qualified(interface) + ">()";
}

void define_signatures(Text& out, const model::Interface& interface, TypeCodes& codes) {
  out.gap();
  out.line("template <>");
  out.line(signatures_head(interface) + " {");
  out.indent();
  out.line("std::vector<OperationSignature> all;");
  for (const Call& call : all_calls(interface)) {
    const std::string result = call.result != nullptr ? codes.value_of(*call.result) : "nullptr";
    out.list("all.push_back({", {quoted(call.wire), result}, "});");
    for (const model::Parameter& parameter : call.parameters) {
      const char* mode = parameter.direction == model::Direction::In    ? "IN"
                         : parameter.direction == model::Direction::Out ? "OUT"
                                                                        : "INOUT";
      out.list("all.back().parameters.push_back({",
               {std::string("::Dynamic::ParameterMode::PARAM_") + mode, codes.value_of(*parameter.type)},
               "});");
    }
    if (call.raises == nullptr) continue;
    for (const model::Exception* each : *call.raises)
      out.list("all.back().exceptions.push_back(", {codes.value_of(*each)}, ");");
  }
  out.line("return all;");
  out.outdent();
  out.line("}");
}

std::string any_header(const Context& context, const Decls& decls, const TypeCodes& codes) {
  Text out;
  begin(out, context);
  out.line("#pragma once");
  out.gap();
  out.line("#include <tenon/gen/any.hpp>");
  if (codes.maps) out.line("#include <tenon/gen/any_map.hpp>");
  const std::vector<const model::Interface*> shown = shown_interfaces(context);
  if (!shown.empty()) out.line("#include <tenon/gen/signatures.hpp>");
  out.gap();
  include(out, own_header(context.options, ".hpp"));
  for (const std::uint32_t file : codes.files) {
    include(out, header_of(context, file, "_any.hpp"));
  }
  out.gap();
  declare_constants(out, context, true);
  Text types;
  for (const Decl* decl : decls) {
    types.gap();
    declare_any_type(types, *decl);
  }
  if (!types.empty()) {
    out.gap();
    out.line("namespace tenon::gen {");
    out.line("");
    out.add(types.str());
    out.line("");
    out.line("}  // namespace tenon::gen");
  }
  if (!shown.empty()) {
    out.gap();
    out.line("namespace tenon {");
    for (const model::Interface* each : shown) {
      out.line("");
      out.line("template <>");
      out.line(signatures_head(*each) + ";");
    }
    out.line("");
    out.line("}  // namespace tenon");
  }
  return out.str();
}

std::string any_source(const Context& context, const Decls& decls, TypeCodes& codes) {
  Text definitions;
  for (const Decl* decl : decls) {
    definitions.gap();
    definitions.line("// " + place(context.program, *decl));
    const std::string from = scope(*decl).substr(2);  // a leading "::" would belong to the type before it
    definitions.list("constinit const ::tenon::types::TypeCode " + from + "_type_" + decl->name + "{",
                     {codes.definition(*decl)}, "};");
    if (in_class(*decl)) {
      definitions.line("constexpr ::CORBA::TypeCodeRef " + from + "_tc_" + decl->name + "{" + node(*decl) +
                       "};");
    }
  }
  Text signatures;
  for (const model::Interface* each : shown_interfaces(context)) define_signatures(signatures, *each, codes);
  Text out;
  begin(out, context);
  if (codes.files.empty() && signatures.empty() &&
      std::none_of(decls.begin(), decls.end(), [](const Decl* decl) { return in_class(*decl); })) {
    // This takes a fraction of the time that compiling the types themselves would take.
    out.line("#include <tenon/gen/type_constants.hpp>");
    out.gap();
    declare_constants(out, context, false);
  } else {
    include(out, own_header(context.options, "_any.hpp"));
  }
  if (!codes.parts.empty()) {
    out.gap();
    out.line("namespace tenon::gen {");
    out.line("namespace {");
    out.line("");
    out.add(codes.parts.str());
    out.line("");
    out.line("}  // namespace");
    out.line("}  // namespace tenon::gen");
  }
  out.gap();
  out.add(definitions.str());
  if (!signatures.empty()) {
    out.gap();
    out.line("namespace tenon {");
    out.line("");
    out.add(signatures.str());
    out.line("");
    out.line("}  // namespace tenon");
  }
  return out.str();
}

}  // namespace

bool has_type_constant(const Decl& decl) {
  switch (decl.kind) {
    case DeclKind::Struct: return model::as<model::Struct>(&decl)->defined;
    case DeclKind::Union: return model::as<model::Union>(&decl)->defined;
    case DeclKind::Interface: return model::as<model::Interface>(&decl)->defined;
    case DeclKind::ValueType: return model::as<model::ValueType>(&decl)->defined;
    case DeclKind::ValueBox:
    case DeclKind::Enum:
    case DeclKind::Bitmask:
    case DeclKind::Bitset:
    case DeclKind::Typedef:
    case DeclKind::Exception: return true;
    default: return false;
  }
}

void declare_nested_type_constant(Text& out, const Decl& decl) {
  if (in_class(decl) && has_type_constant(decl)) {
    out.line("static const ::tenon::types::TypeCode _type_" + decl.name + ";");
    out.line("static const ::CORBA::TypeCodeRef _tc_" + decl.name + ";");
  }
}

std::vector<OutputFile> any_files(const Context& context) {
  Decls decls;
  each_decl(context.program.roots, [&](const Decl& decl) {
    if (has_type_constant(decl)) decls.push_back(&decl);
  });
  TypeCodes codes;
  std::string source = any_source(context, decls, codes);
  const std::string& base = context.options.base_name;
  return {{base + "_any.hpp", any_header(context, decls, codes)}, {base + "_any.cpp", std::move(source)}};
}

}  // namespace tenon::idl::cpp
