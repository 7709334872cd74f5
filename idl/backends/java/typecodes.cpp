// SPDX-License-Identifier: Apache-2.0
//
// TypeCodes (--any). Each type's class _Type makes its own when it is asked for first, and what that consists of later still, so that types
// may contain each other and programs that use none make none. GIOP has no TypeCodes for maps, bitmasks and bitsets: those are sequences of
// structs, and aliases of the integers that carry them.
#include "idl/backends/java/types.hpp"

namespace tenon::idl::java {

using model::Decl;
using model::DeclKind;
using model::Type;
using model::TypeKind;

namespace {

std::string basic(const char* kind) {
  return std::string("org.tenon.TypeCode.of(org.tenon.TCKind.tk_") + kind + ")";
}

// `parts`: the calls that say what the type consists of, or nothing.
std::string named(const char* kind, const std::string& id, const std::string& name,
                  const std::string& parts) {
  return std::string("org.tenon.TypeCode.of(org.tenon.TCKind.tk_") + kind + ", " + string_literal(id) + ", " +
         string_literal(name) + (parts.empty() ? "" : ", _parts -> _parts" + parts) + ")";
}

const char* basic_kind(TypeKind kind) {
  switch (kind) {
    case TypeKind::Boolean: return "boolean";
    case TypeKind::Char: return "char";
    case TypeKind::WChar: return "wchar";
    case TypeKind::Octet:
    case TypeKind::Int8:
    case TypeKind::UInt8: return "octet";
    case TypeKind::Short: return "short";
    case TypeKind::UShort: return "ushort";
    case TypeKind::Long: return "long";
    case TypeKind::ULong: return "ulong";
    case TypeKind::LongLong: return "longlong";
    case TypeKind::ULongLong: return "ulonglong";
    case TypeKind::Float: return "float";
    case TypeKind::Double: return "double";
    case TypeKind::LongDouble: return "longdouble";
    case TypeKind::Any: return "any";
    case TypeKind::TypeCode: return "TypeCode";
    default: return nullptr;
  }
}

const char* interface_kind(const model::Interface& decl) {
  return decl.abstract ? "abstract_interface" : decl.local ? "local_interface" : "objref";
}

const char* kind_of(const Decl& decl) {
  switch (decl.kind) {
    case DeclKind::Struct: return "struct";
    case DeclKind::Exception: return "except";
    case DeclKind::Union: return "union";
    case DeclKind::Enum: return "enum";
    case DeclKind::ValueType: return "value";
    case DeclKind::ValueBox: return "value_box";
    case DeclKind::Interface: return interface_kind(static_cast<const model::Interface&>(decl));
    default: return "alias";
  }
}

// A label as a literal of Java's long.
std::string label(const model::Value& value) {
  switch (value.kind) {
    case model::ValueKind::Integer: return std::to_string(value.integer) + "L";
    case model::ValueKind::Unsigned:
      return std::to_string(static_cast<std::int64_t>(value.unsigned_integer)) + "L";
    case model::ValueKind::Boolean: return value.boolean ? "1" : "0";
    case model::ValueKind::Char:
    case model::ValueKind::WChar: return std::to_string(value.character);
    case model::ValueKind::Enumerator: return std::to_string(value.enumerator->ordinal);
    default: return "0";
  }
}

std::string carried_by(TypeKind carrier) { return ".content(" + basic(basic_kind(carrier)) + ")"; }

std::string unsigned_bound(std::uint64_t bound) {
  return std::to_string(static_cast<std::int32_t>(static_cast<std::uint32_t>(bound)));
}

}  // namespace

std::string Unit::type_code(const Type& type) const {
  if (const char* kind = basic_kind(type.kind)) return basic(kind);
  const std::string bound = unsigned_bound(type.bound);
  switch (type.kind) {
    case TypeKind::Object: return named("objref", "IDL:omg.org/CORBA/Object:1.0", "Object", "");
    case TypeKind::ValueBase: return named("value", "IDL:omg.org/CORBA/ValueBase:1.0", "ValueBase", "");
    case TypeKind::String: return "org.tenon.TypeCode.string(org.tenon.TCKind.tk_string, " + bound + ")";
    case TypeKind::WString: return "org.tenon.TypeCode.string(org.tenon.TCKind.tk_wstring, " + bound + ")";
    case TypeKind::Fixed:
      return "org.tenon.TypeCode.fixed(" + std::to_string(type.digits) + ", " + std::to_string(type.scale) +
             ")";
    case TypeKind::Sequence:
      return "org.tenon.TypeCode.sequence(" + type_code(*type.element) + ", " + bound + ")";
    case TypeKind::Map:
      return "org.tenon.TypeCode.map(" + type_code(*type.key) + ", " + type_code(*type.element) + ", " +
             bound + ")";
    case TypeKind::Array: {
      std::string element = type_code(*type.element);
      for (auto size = type.dimensions.rbegin(); size != type.dimensions.rend(); ++size)
        element = "org.tenon.TypeCode.array(" + element + ", " + unsigned_bound(*size) + ")";
      return element;
    }
    default: break;
  }
  const auto* interface = model::as<model::Interface>(type.decl);
  if (interface == nullptr) return names.of(*type.decl) + "._Type.INSTANCE.typeCode()";
  if (interface->defined) return names.of(*interface, "Stub") + "._Type.INSTANCE.typeCode()";
  return named(interface_kind(*interface), interface->repository_id, interface->name, "");
}

std::string Unit::type_code_parts(const Decl& decl) const {
  std::string parts;
  const auto member = [&](const char* function, const model::Member& one, const std::string& before) {
    parts += std::string("\n.") + function + "(" + before + string_literal(one.name) + ", " +
             type_code(*one.type) + ")";
  };
  if (const auto* record = model::as<model::Struct>(&decl)) {
    for (const model::Member& one : members_of(*record)) member("member", one, "");
  } else if (const auto* exception = model::as<model::Exception>(&decl)) {
    for (const model::Member& one : exception->members) member("member", one, "");
  } else if (const auto* choice = model::as<model::Union>(&decl)) {
    parts = "\n.content(" + type_code(*choice->discriminator) + ")";
    for (const model::UnionCase& one : choice->cases) {
      for (const model::Value& value : one.labels) member("label", one.member, label(value) + ", ");
      if (one.is_default) member("otherwise", one.member, "");
    }
  } else if (const auto* enumeration = model::as<model::Enum>(&decl)) {
    std::vector<std::string> each;
    for (const model::Enumerator* one : enumeration->enumerators) each.push_back(string_literal(one->name));
    parts = "\n.enumerators(" + cpp::join(each, ", ") + ")";
  } else if (const auto* alias = model::as<model::Typedef>(&decl)) {
    parts = ".content(" + type_code(*alias->type) + ")";
  } else if (const auto* mask = model::as<model::Bitmask>(&decl)) {
    parts = carried_by(mask->carrier);
  } else if (const auto* set = model::as<model::Bitset>(&decl)) {
    parts = carried_by(set->carrier);
  } else if (const auto* box = model::as<model::ValueBox>(&decl)) {
    parts = ".content(" + type_code(*box->type) + ")";
  } else if (const auto* value = model::as<model::ValueType>(&decl)) {
    const char* modifier = value->custom        ? "CUSTOM"
                           : value->abstract    ? "ABSTRACT"
                           : value->truncatable ? "TRUNCATABLE"
                                                : nullptr;
    if (modifier != nullptr) parts = std::string("\n.modifier(org.tenon.TypeCode.VM_") + modifier + ")";
    if (!value->bases.empty() && !value->bases.front()->abstract)
      parts += "\n.content(" + names.of(*value->bases.front()) + "._Type.INSTANCE.typeCode())";
    for (const model::StateMember* one : value->state) {
      parts += "\n.state(" + string_literal(one->name) + ", " + type_code(*one->type) + ", " +
               (one->is_public ? "true" : "false") + ")";
    }
  }
  return named(kind_of(decl), decl.repository_id, decl.name, parts);
}

void declare_type_class(Text& out, Unit& unit, const Decl& decl, const std::string& type,
                        const std::string& read, const std::string& write) {
  const std::string override = "@" + unit.names.lang("Override");
  out.gap();
  out.line("/** How generic sequences read and write it. */");
  out.add(R"(public static final class _Type implements org.tenon.CdrType<$type$> {
  public static final _Type INSTANCE = new _Type();

  private _Type() {}

  $override$
  public $type$ read(org.tenon.CdrReader in) {
    return $read$;
  }

  $override$
  public void write(org.tenon.CdrWriter out, $type$ value) {
    $write$
  })",
          {{"type", type}, {"override", override}, {"read", read}, {"write", write}});
  if (unit.any) {
    std::string code = unit.type_code_parts(decl);
    for (std::size_t at = code.find('\n'); at != std::string::npos; at = code.find('\n', at + 1))
      code.insert(at + 1, "        ");
    out.line("");
    out.add(R"(  private org.tenon.TypeCode _code;

  $override$
  public org.tenon.TypeCode typeCode() {
    org.tenon.TypeCode code = _code;
    if (code == null) {
      code = $code$;
      _code = code;
    }
    return code;
  })",
            {{"override", override}, {"code", code}});
  }
  out.line("}");
}

void declare_typedef(Text& out, Unit& unit, const model::Typedef& decl, bool nested) {
  const std::string type = unit.boxed(*decl.type);
  document(out, decl, decl.repository_id + ". A value is of type " + unit.type(*decl.type) + ".");
  out.line(std::string(nested ? "public static " : "public ") + "final class " + escaped(decl.name) + " {");
  out.indent();
  out.line("private " + escaped(decl.name) + "() {}");
  declare_type_class(out, unit, decl, type, unit.read(*decl.type), unit.write(*decl.type, "value"));
  if (!nested) unit.declare_types(out);
  out.outdent();
  out.line("}");
}

}  // namespace tenon::idl::java
