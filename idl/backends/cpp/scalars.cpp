// SPDX-License-Identifier: Apache-2.0
//
// Constants, typedefs, enums, bitmasks, bitsets (IDL to C++11 1.6 §6.5, §6.8, §6.10; bit types are an extension, docs/idl.md).
#include "idl/backends/cpp/emit.hpp"

namespace tenon::idl::cpp {

using model::TypeKind;

namespace {

// Inside a class a constant is a static member.
std::string storage(const model::Decl& decl) {
  const bool in_class = decl.parent != nullptr && decl.parent->kind != model::DeclKind::Module;
  return in_class ? "static " : "";
}

std::string carrier_name(TypeKind kind) {
  model::Type type;
  type.kind = kind;
  return cpp_type(type);
}

}  // namespace

void declare_constant(Text& out, const model::Constant& decl) {
  const model::Type& type = *model::resolve_aliases(decl.type);
  const std::string name = escaped(decl.name);
  const std::string value = literal(decl.value, *decl.type);
  switch (type.kind) {
    case TypeKind::String:
    case TypeKind::WString:
      out.line(storage(decl) + "inline const " + cpp_type(type) + " " + name + "{" + value + "};");
      break;
    case TypeKind::Fixed: {
      model::Type exact = type;
      if (exact.digits == 0) {
        exact.digits = decl.value.digits;
        exact.scale = decl.value.scale;
      }
      out.line(storage(decl) + "inline const " + cpp_type(exact) + " " + name + "{" + value + "};");
      break;
    }
    default:
      out.line((storage(decl).empty() ? "inline constexpr " : "static constexpr ") + cpp_type(*decl.type) +
               " " + name + " = " + value + ";");
  }
}

void declare_typedef(Text& out, const model::Typedef& decl) {
  const model::Type& real = *model::resolve_aliases(decl.type);
  const auto* interface = real.kind == TypeKind::Named ? model::as<model::Interface>(real.decl) : nullptr;
  // an alias of an interface names the class, as IDL::traits<Alias> wants it
  const std::string target = interface != nullptr            ? interface_class(*interface)
                             : real.kind == TypeKind::Object ? "::CORBA::Object"
                                                             : cpp_type(*decl.type);
  out.line("using " + escaped(decl.name) + " = " + target + ";");
}

void declare_enum(Text& out, const model::Enum& decl) {
  const bool values = has_values(decl);
  std::vector<std::string> names;
  for (const model::Enumerator* enumerator : decl.enumerators) {
    names.push_back(escaped(enumerator->name) + (values ? " = " + std::to_string(enumerator->value) : ""));
  }
  out.list("enum class " + escaped(decl.name) + " : " + (values ? "std::int64_t" : "std::uint32_t") + " { ",
           names, " };");
}

void declare_enum_codec(Text& out, const model::Enum& decl) {
  const std::string type = qualified(decl);
  std::string base = "Enum<" + type + ", " + std::to_string(decl.enumerators.size()) + ">";
  if (has_values(decl)) {
    std::vector<std::string> names;
    for (const model::Enumerator* enumerator : decl.enumerators) names.push_back(qualified(*enumerator));
    base = "ValuedEnum<" + type + ", " + join(names, ", ") + ">";
  }
  out.add("template <>\nstruct Codec<$type$> : $base$ {};", {{"type", type}, {"base", base}});
}

void declare_bitmask(Text& out, const model::Bitmask& decl) {
  const std::string name = escaped(decl.name);
  const std::string carrier = carrier_name(decl.carrier);
  out.line("enum class " + name + " : " + carrier + " {");
  out.indent();
  out.line("_none = 0,");
  for (const model::BitFlag& flag : decl.flags) {
    const std::string one = decl.carrier == TypeKind::ULongLong ? "std::uint64_t{1}" : "1U";
    out.line(escaped(flag.name) + " = " + one + " << " + std::to_string(flag.position) + ",");
  }
  out.outdent();
  out.line("};");
  const std::string kind = storage(decl).empty() ? "constexpr " : "friend constexpr ";
  for (const char* op : {"|", "&", "^"}) {
    out.add(R"($kind$$name$ operator$op$($name$ a, $name$ b) noexcept {
  return static_cast<$name$>(static_cast<$carrier$>(a) $op$ static_cast<$carrier$>(b));
})",
            {{"kind", kind}, {"name", name}, {"op", op}, {"carrier", carrier}});
  }
  out.add(R"($kind$$name$ operator~($name$ a) noexcept {
  return static_cast<$name$>(static_cast<$carrier$>(~static_cast<$carrier$>(a)));
})",
          {{"kind", kind}, {"name", name}, {"carrier", carrier}});
}

void declare_bitmask_codec(Text& out, const model::Bitmask& decl) {
  out.add("template <>\nstruct Codec<$type$> : Bitmask<$type$> {};", {{"type", qualified(decl)}});
}

namespace {

std::vector<const model::BitField*> all_fields(const model::Bitset& decl) {
  std::vector<const model::BitField*> fields;
  if (decl.base != nullptr) fields = all_fields(*decl.base);
  for (const model::BitField& field : decl.fields) {
    if (!field.name.empty()) fields.push_back(&field);
  }
  return fields;
}

}  // namespace

// The fields of a base are repeated: its word may be smaller, so it cannot be a base class in C++.
void declare_bitset(Text& out, const model::Bitset& decl) {
  const std::string name = escaped(decl.name);
  const std::string carrier = carrier_name(decl.carrier);
  out.line("class " + name + " : public ::tenon::gen::Bits<" + carrier + ", " + std::to_string(decl.bits) +
           "> {");
  out.line("public:");
  out.indent();
  out.line(name + "() = default;");
  for (const model::BitField* field : all_fields(decl)) {
    out.gap();
    out.add(R"(void $field$($type$ value) { set<$position$, $width$>(value); }
$type$ $field$() const noexcept { return get<$position$, $width$, $type$>(); })",
            {{"field", escaped(field->name)},
             {"type", cpp_type(*field->type)},
             {"position", std::to_string(field->position)},
             {"width", std::to_string(field->width)}});
  }
  out.gap();
  out.line("bool operator==(const " + name + "&) const = default;");
  out.outdent();
  out.line("};");
}

void declare_bitset_codec(Text& out, const model::Bitset& decl) {
  out.add("template <>\nstruct Codec<$type$> : Bitset<$type$> {};", {{"type", qualified(decl)}});
}

}  // namespace tenon::idl::cpp
