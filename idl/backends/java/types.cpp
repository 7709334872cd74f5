// SPDX-License-Identifier: Apache-2.0
#include "idl/backends/java/types.hpp"

#include <algorithm>
#include <cctype>
#include <limits>
#include <stdexcept>

namespace tenon::idl::java {

using model::DeclKind;
using model::Type;
using model::TypeKind;

namespace {

struct Primitive {
  TypeKind kind;
  const char* name;  // as in readInt()
  const char* type;  // of Java
  const char* boxed;
};
constexpr Primitive primitives[] = {
    {TypeKind::Boolean, "Boolean", "boolean", "Boolean"},
    {TypeKind::Char, "Char", "char", "Character"},
    {TypeKind::WChar, "WChar", "char", "Character"},
    {TypeKind::Octet, "Byte", "byte", "Byte"},
    {TypeKind::Int8, "Byte", "byte", "Byte"},
    {TypeKind::UInt8, "Byte", "byte", "Byte"},
    {TypeKind::Short, "Short", "short", "Short"},
    {TypeKind::UShort, "Short", "short", "Short"},
    {TypeKind::Long, "Int", "int", "Integer"},
    {TypeKind::ULong, "Int", "int", "Integer"},
    {TypeKind::LongLong, "Long", "long", "Long"},
    {TypeKind::ULongLong, "Long", "long", "Long"},
    {TypeKind::Float, "Float", "float", "Float"},
    {TypeKind::Double, "Double", "double", "Double"},
};

// A bitmask or bitset is the integer that carries it.
TypeKind kind_of(const Type& type) {
  if (type.kind == TypeKind::Named) {
    if (const auto* mask = model::as<model::Bitmask>(type.decl)) return mask->carrier;
    if (const auto* set = model::as<model::Bitset>(type.decl)) return set->carrier;
  }
  return type.kind;
}

const Primitive* primitive_of(const Type& written) {
  const TypeKind kind = kind_of(*model::resolve_aliases(&written));
  for (const Primitive& one : primitives) {
    if (one.kind == kind) return &one;
  }
  return nullptr;
}

// CdrTypes.wcharSequence, CdrTypes.intArray
std::string factory(const Primitive& one, const char* kind) {
  return "org.tenon.CdrTypes." +
         (one.kind == TypeKind::WChar ? std::string("wchar") : std::string(one.type)) + kind;
}

const model::Interface* known_interface(const Type& type) {
  const auto* interface = type.kind == TypeKind::Named ? model::as<model::Interface>(type.decl) : nullptr;
  return interface != nullptr && interface->defined ? interface : nullptr;
}

bool is_reference(const Type& type) {
  return type.kind == TypeKind::Object ||
         (type.kind == TypeKind::Named && type.decl->kind == DeclKind::Interface);
}

bool is_value(const Type& type) {
  return type.kind == TypeKind::ValueBase ||
         (type.kind == TypeKind::Named &&
          (type.decl->kind == DeclKind::ValueType || type.decl->kind == DeclKind::ValueBox));
}

// What the run time has a class for.
const char* class_of(TypeKind kind) {
  switch (kind) {
    case TypeKind::Any: return "org.tenon.Any";
    case TypeKind::TypeCode: return "org.tenon.TypeCode";
    case TypeKind::ValueBase: return "org.tenon.ValueBase";
    case TypeKind::Object: return "org.tenon.RemoteObject";
    default: return nullptr;
  }
}

}  // namespace

std::string primitive_name(const Type& type) {
  const Primitive* one = primitive_of(type);
  return one != nullptr ? one->name : "";
}

std::string bound_text(std::uint64_t bound) {
  return std::to_string(bound > static_cast<std::uint64_t>(std::numeric_limits<std::int32_t>::max()) ? 0
                                                                                                     : bound);
}

bool has_arrays(const Type& written) {
  const Type& type = *model::resolve_aliases(&written);
  if (type.kind == TypeKind::Array) return true;
  if (type.kind == TypeKind::Map) return has_arrays(*type.element);
  if (type.kind != TypeKind::Sequence) return false;
  return primitive_of(*type.element) != nullptr || has_arrays(*type.element);
}

// Of an array of several dimensions: the type of one of its elements in that dimension.
std::string Unit::element_array(const Type& array, std::size_t dimension) const {
  std::string text = type(*array.element);
  for (std::size_t i = dimension; i < array.dimensions.size(); ++i) text += "[]";
  return text;
}

std::string Unit::type(const Type& written) const {
  const Type& type = *model::resolve_aliases(&written);
  if (const Primitive* one = primitive_of(type)) return one->type;
  if (const char* known = class_of(type.kind)) return known;
  switch (type.kind) {
    case TypeKind::Void: return "void";
    case TypeKind::String:
    case TypeKind::WString: return names.lang("String");
    case TypeKind::Fixed:
    case TypeKind::LongDouble: return "java.math.BigDecimal";
    case TypeKind::Sequence:
      if (const Primitive* one = primitive_of(*type.element)) return std::string(one->type) + "[]";
      return "java.util.List<" + boxed(*type.element) + ">";
    case TypeKind::Array: return element_array(type, 0);
    case TypeKind::Map: return "java.util.Map<" + boxed(*type.key) + ", " + boxed(*type.element) + ">";
    case TypeKind::Named:
      if (is_reference(type) && known_interface(type) == nullptr) return "org.tenon.RemoteObject";
      return names.of(*type.decl);
    default: throw std::logic_error("a type that has no Java form");
  }
}

std::string Unit::boxed(const Type& written) const {
  const Primitive* one = primitive_of(written);
  return one != nullptr ? names.lang(one->boxed) : type(written);
}

std::string Unit::smallest(const Type& type) {
  return std::to_string(std::min<std::uint64_t>(sizes.of(&type), std::numeric_limits<std::int32_t>::max()));
}

std::string Unit::smallest_pair(const Type& map) {
  const std::uint64_t least = sizes.of(map.key) + sizes.of(map.element);
  return std::to_string(std::min<std::uint64_t>(least, std::numeric_limits<std::int32_t>::max()));
}

// The struct, if its class has loops of its own for sequences.
std::string Unit::whole_sequence(const Type& sequence) const {
  const model::Struct* record = model::sequence_of_constant_structs(sequence);
  return record != nullptr && model::constant_layout(*record)->stride != 0 ? names.of(*record) : "";
}

std::string Unit::read(const Type& written, const std::string& in) {
  const Type& type = *model::resolve_aliases(&written);
  if (const Primitive* one = primitive_of(type)) return in + ".read" + one->name + "()";
  const std::string bound = bound_text(type.bound);
  switch (type.kind) {
    case TypeKind::String: return in + ".readString(" + bound + ")";
    case TypeKind::WString: return in + ".readWString(" + bound + ")";
    case TypeKind::LongDouble: return in + ".readLongDouble()";
    case TypeKind::Fixed:
      return in + ".readFixed(" + std::to_string(type.digits) + ", " + std::to_string(type.scale) + ")";
    case TypeKind::Sequence: {
      if (const Primitive* one = primitive_of(*type.element))
        return in + ".read" + one->name + "Sequence(" + bound + ")";
      if (const std::string record = whole_sequence(type); !record.empty())
        return record + ".readSequence(" + in + ", " + bound + ")";
      return in + ".readSequence(" + cdr_type(*type.element) + ", " + smallest(*type.element) + ", " + bound +
             ")";
    }
    case TypeKind::Array: {
      const Primitive* one = type.dimensions.size() == 1 ? primitive_of(*type.element) : nullptr;
      if (one != nullptr)
        return in + ".read" + one->name + "Array(" + std::to_string(type.dimensions.front()) + ")";
      return cdr_type(type) + ".read(" + in + ")";
    }
    case TypeKind::Map:
      return in + ".readMap(" + cdr_type(*type.key) + ", " + cdr_type(*type.element) + ", " +
             smallest_pair(type) + ", " + bound + ")";
    case TypeKind::Any:
    case TypeKind::TypeCode: return std::string(class_of(type.kind)) + ".read(" + in + ")";
    case TypeKind::ValueBase: return in + ".readValue()";
    default:
      if (!is_reference(type)) return names.of(*type.decl) + ".read(" + in + ")";
      const model::Interface* interface = known_interface(type);
      return (interface != nullptr ? names.of(*interface, "Stub") : "org.tenon.ObjectStub") + ".read(" + in +
             ")";
  }
}

std::string Unit::write(const Type& written, const std::string& value, const std::string& out) {
  const Type& type = *model::resolve_aliases(&written);
  if (const Primitive* one = primitive_of(type)) return out + ".write" + one->name + "(" + value + ");";
  const std::string bound = bound_text(type.bound);
  switch (type.kind) {
    case TypeKind::String: return out + ".writeString(" + value + ", " + bound + ");";
    case TypeKind::WString: return out + ".writeWString(" + value + ", " + bound + ");";
    case TypeKind::LongDouble: return out + ".writeLongDouble(" + value + ");";
    case TypeKind::Fixed:
      return out + ".writeFixed(" + value + ", " + std::to_string(type.digits) + ", " +
             std::to_string(type.scale) + ");";
    case TypeKind::Sequence: {
      if (const Primitive* one = primitive_of(*type.element))
        return out + ".write" + one->name + "Sequence(" + value + ", " + bound + ");";
      if (const std::string record = whole_sequence(type); !record.empty())
        return record + ".writeSequence(" + out + ", " + value + ", " + bound + ");";
      return out + ".writeSequence(" + cdr_type(*type.element) + ", " + value + ", " + bound + ");";
    }
    case TypeKind::Array: {
      const Primitive* one = type.dimensions.size() == 1 ? primitive_of(*type.element) : nullptr;
      if (one != nullptr)
        return out + ".write" + one->name + "Array(" + value + ", " +
               std::to_string(type.dimensions.front()) + ");";
      return cdr_type(type) + ".write(" + out + ", " + value + ");";
    }
    case TypeKind::Map:
      return out + ".writeMap(" + cdr_type(*type.key) + ", " + cdr_type(*type.element) + ", " + value + ", " +
             bound + ");";
    default:
      if (is_value(type)) return out + ".writeValue(" + value + ");";
      if (!is_reference(type)) return value + ".write(" + out + ");";
      const model::Interface* interface = known_interface(type);
      return out + (interface != nullptr && interface->abstract ? ".writeAbstract(" : ".writeObject(") +
             value + ");";
  }
}

std::string Unit::constant(const std::string& type, const std::string& expression) {
  for (std::size_t i = 0; i < constants_.size(); ++i) {
    if (constants_[i].second == expression && constants_[i].first == type)
      return "_Types.t" + std::to_string(i);
  }
  constants_.emplace_back(type, expression);
  return "_Types.t" + std::to_string(constants_.size() - 1);
}

// Java makes no arrays of generic types, so that an empty one is cast.
std::string Unit::array_type(const Type& array, std::size_t dimension) {
  const std::string count = std::to_string(array.dimensions[dimension]);
  const bool last = dimension + 1 == array.dimensions.size();
  const Primitive* one = last ? primitive_of(*array.element) : nullptr;
  if (one != nullptr) return factory(*one, "Array") + "(" + count + ")";
  const std::string element = last ? cdr_type(*array.element) : array_type(array, dimension + 1);
  const std::string java = element_array(array, dimension + 1);
  const std::size_t generic = java.find('<');
  std::string none;
  if (generic == std::string::npos) {
    const std::size_t brackets = java.find('[');
    none = "new " + java.substr(0, brackets) + "[0]" +
           (brackets == std::string::npos ? "" : java.substr(brackets));
  } else {
    const std::size_t brackets = java.find('[', java.rfind('>'));
    none = "(" + java + "[]) new " + java.substr(0, generic) + "<?>[0]" +
           (brackets == std::string::npos ? "" : java.substr(brackets));
  }
  std::uint64_t least = sizes.of(array.element);
  for (std::size_t i = dimension + 1; i < array.dimensions.size(); ++i)
    least = std::min<std::uint64_t>(least * array.dimensions[i], std::numeric_limits<std::int32_t>::max());
  return "org.tenon.CdrTypes.array(" + element + ", " + std::to_string(least) + ", " + count + ", " + none +
         ")";
}

std::string Unit::cdr_type(const Type& written) {
  const Type& type = *model::resolve_aliases(&written);
  if (const Primitive* one = primitive_of(type)) {
    std::string name = one->name;
    for (char& letter : name) letter = static_cast<char>(std::toupper(static_cast<unsigned char>(letter)));
    return "org.tenon.CdrTypes." + name;
  }
  const std::string bound = bound_text(type.bound);
  std::string expression;
  switch (type.kind) {
    case TypeKind::String: expression = "org.tenon.CdrTypes.string(" + bound + ")"; break;
    case TypeKind::WString: expression = "org.tenon.CdrTypes.wstring(" + bound + ")"; break;
    case TypeKind::Fixed:
      expression =
          "org.tenon.CdrTypes.fixed(" + std::to_string(type.digits) + ", " + std::to_string(type.scale) + ")";
      break;
    case TypeKind::Sequence:
      if (const Primitive* one = primitive_of(*type.element)) {
        expression = factory(*one, "Sequence") + "(" + bound + ")";
      } else {
        expression = "org.tenon.CdrTypes.sequence(" + cdr_type(*type.element) + ", " +
                     smallest(*type.element) + ", " + bound + ")";
      }
      break;
    case TypeKind::Array: expression = array_type(type, 0); break;
    case TypeKind::Map:
      expression = "org.tenon.CdrTypes.map(" + cdr_type(*type.key) + ", " + cdr_type(*type.element) + ", " +
                   smallest_pair(type) + ", " + bound + ")";
      break;
    case TypeKind::LongDouble: return "org.tenon.CdrTypes.LONG_DOUBLE";
    case TypeKind::Object: return "org.tenon.CdrTypes.OBJECT";
    case TypeKind::Any: return "org.tenon.CdrTypes.ANY";
    case TypeKind::TypeCode: return "org.tenon.CdrTypes.TYPE_CODE";
    case TypeKind::ValueBase: return "org.tenon.CdrTypes.VALUE_BASE";
    default:
      if (!is_reference(type)) return names.of(*type.decl) + "._Type.INSTANCE";
      if (const model::Interface* interface = known_interface(type))
        return names.of(*interface, "Stub") + "._Type.INSTANCE";
      return "org.tenon.CdrTypes.OBJECT";
  }
  return constant(boxed(type), expression);
}

void Unit::declare_types(Text& out) {
  if (constants_.empty()) return;
  out.gap();
  out.line("@" + names.lang("SuppressWarnings") + "(\"unchecked\")");
  out.line("static final class _Types {");
  out.indent();
  for (std::size_t i = 0; i < constants_.size(); ++i) {
    out.line("static final org.tenon.CdrType<" + constants_[i].first + "> t" + std::to_string(i) + " = " +
             constants_[i].second + ";");
  }
  out.gap();
  out.line("private _Types() {}");
  out.outdent();
  out.line("}");
  constants_.clear();
}

}  // namespace tenon::idl::java
