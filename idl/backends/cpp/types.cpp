// SPDX-License-Identifier: Apache-2.0
#include "idl/backends/cpp/types.hpp"

#include <algorithm>
#include <stdexcept>

#include "idl/backends/cpp/names.hpp"
#include "idl/backends/cpp/text.hpp"
#include "idl/model/constant_layout.hpp"

namespace tenon::idl::cpp {

using model::DeclKind;
using model::Type;
using model::TypeKind;

namespace {

const char* primitive_name(TypeKind kind) {
  switch (kind) {
    case TypeKind::Boolean: return "bool";
    case TypeKind::Char: return "char";
    case TypeKind::WChar: return "wchar_t";
    case TypeKind::Octet:
    case TypeKind::UInt8: return "std::uint8_t";
    case TypeKind::Int8: return "std::int8_t";
    case TypeKind::Short: return "std::int16_t";
    case TypeKind::UShort: return "std::uint16_t";
    case TypeKind::Long: return "std::int32_t";
    case TypeKind::ULong: return "std::uint32_t";
    case TypeKind::LongLong: return "std::int64_t";
    case TypeKind::ULongLong: return "std::uint64_t";
    case TypeKind::Float: return "float";
    case TypeKind::Double: return "double";
    case TypeKind::LongDouble: return "long double";
    default: return nullptr;
  }
}

std::string reference_to(const std::string& interface) {
  return "::CORBA::object_reference<" + interface + ">";
}

// In C++ an alias of a value type is a name for its class, as with interfaces.
std::string value_class(const Type& real) {
  return real.kind == TypeKind::ValueBase ? "::CORBA::ValueBase" : qualified(*real.decl);
}

std::string named_type(const Type& type) {
  const Type& real = *model::resolve_aliases(&type);
  // an alias of an interface is a name for its class; a value of the type is a reference to that
  const model::Decl* decl = real.kind == TypeKind::Named ? real.decl : nullptr;
  if (const auto* interface = model::as<model::Interface>(decl))
    return reference_to(interface_class(*interface));
  if (real.kind == TypeKind::Object) return reference_to("::CORBA::Object");
  if (is_value(type)) return value_reference_to(value_class(real));
  const auto* native = model::as<model::Native>(decl);
  if (native != nullptr && native->scoped_name == "::PortableServer::Servant")
    return "::CORBA::servant_reference<::PortableServer::Servant>";
  if (native != nullptr && native->scoped_name == "::CORBA::AbstractBase")
    return reference_to("::CORBA::AbstractBase");
  return qualified(*type.decl);
}

std::string wrapped_in_arrays(const Type& type, std::string element, const std::string& name) {
  for (auto size = type.dimensions.rbegin(); size != type.dimensions.rend(); ++size) {
    element = name + "<" + element + ", " + std::to_string(*size) + ">";
  }
  return element;
}

std::string bounded(const std::string& name, std::uint64_t bound) {
  return name + "<" + (bound != 0 ? std::to_string(bound) : "") + ">";
}

std::string decl_codec(const model::Decl& decl, const std::string& gen) {
  if (const auto* interface = model::as<model::Interface>(&decl)) {
    return gen + (interface->abstract ? "::AbstractReference<" : "::Reference<") +
           interface_class(*interface) + ">";
  }
  const bool value = decl.kind == DeclKind::ValueType || decl.kind == DeclKind::ValueBox;
  return gen + (value ? "::Value<" : "::Codec<") + qualified(decl) + ">";
}

}  // namespace

std::string value_reference_to(const std::string& value) {
  return "::CORBA::valuetype_reference<" + value + ">";
}

std::string interface_class(const model::Interface& decl) {
  return decl.defined || decl.provided_by_orb ? qualified(decl) : "::CORBA::Object";
}

std::string cpp_type(const Type& type) {
  if (const char* name = primitive_name(type.kind)) return name;
  switch (type.kind) {
    case TypeKind::Void: return "void";
    case TypeKind::Any: return "::CORBA::Any";
    case TypeKind::TypeCode: return reference_to("::CORBA::TypeCode");
    case TypeKind::Object: return reference_to("::CORBA::Object");
    case TypeKind::ValueBase: return value_reference_to("::CORBA::ValueBase");
    case TypeKind::String:
      return type.bound == 0 ? "std::string" : "::IDL::bounded_string<" + std::to_string(type.bound) + ">";
    case TypeKind::WString:
      return type.bound == 0 ? "std::wstring" : "::IDL::bounded_wstring<" + std::to_string(type.bound) + ">";
    case TypeKind::Fixed:
      return "::IDL::Fixed<" + std::to_string(type.digits) + ", " + std::to_string(type.scale) + ">";
    case TypeKind::Sequence:
      if (type.bound == 0) return "std::vector<" + cpp_type(*type.element) + ">";
      return "::IDL::bounded_vector<" + cpp_type(*type.element) + ", " + std::to_string(type.bound) + ">";
    case TypeKind::Map: return "std::map<" + cpp_type(*type.key) + ", " + cpp_type(*type.element) + ">";
    case TypeKind::Array: return wrapped_in_arrays(type, cpp_type(*type.element), "std::array");
    case TypeKind::Named: return named_type(type);
    default: throw std::logic_error("a type that the C++ back end refuses got through");
  }
}

bool is_plain(const Type& type) {
  const TypeKind kind = model::resolve_aliases(&type)->kind;
  return primitive_name(kind) != nullptr && kind != TypeKind::WChar && kind != TypeKind::LongDouble;
}

bool is_scalar(const Type& type) {
  const Type& real = *model::resolve_aliases(&type);
  return primitive_name(real.kind) != nullptr ||
         (real.kind == TypeKind::Named &&
          (real.decl->kind == DeclKind::Enum || real.decl->kind == DeclKind::Bitmask));
}

bool is_value(const Type& type) {
  const Type& real = *model::resolve_aliases(&type);
  return real.kind == TypeKind::ValueBase ||
         (real.kind == TypeKind::Named &&
          (real.decl->kind == DeclKind::ValueType || real.decl->kind == DeclKind::ValueBox));
}

bool is_reference(const Type& type) {
  const Type& real = *model::resolve_aliases(&type);
  if (is_value(type)) return true;
  return real.kind == TypeKind::Object || real.kind == TypeKind::TypeCode ||
         (real.kind == TypeKind::Named && real.decl->kind == DeclKind::Interface);
}

bool has_values(const model::Enum& decl) {
  return std::any_of(decl.enumerators.begin(), decl.enumerators.end(),
                     [](const model::Enumerator* enumerator) {
                       return enumerator->value != static_cast<std::int64_t>(enumerator->ordinal);
                     });
}

std::string initial(const model::Type& type) {
  const model::Type* element = model::resolve_aliases(&type);
  const bool array = element->kind == TypeKind::Array;
  while (element->kind == TypeKind::Array) element = model::resolve_aliases(element->element);
  if (element->kind != TypeKind::Named) return {};
  const auto* decl = model::as<model::Enum>(element->decl);
  if (decl == nullptr || !has_values(*decl) || decl->enumerators.front()->value == 0) return {};
  const std::string first = qualified(*decl->enumerators.front());
  return array ? "::tenon::gen::filled<" + cpp_type(type) + ">(" + first + ")" : first;
}

std::string in_type(const Type& type) {
  const Type& real = *model::resolve_aliases(&type);
  const bool native = real.kind == TypeKind::Named && real.decl->kind == DeclKind::Native;
  return is_scalar(type) || is_reference(type) || native ? cpp_type(type) : "const " + cpp_type(type) + "&";
}

std::string codec(const Type& alias, const std::string& gen) {
  const Type& type = *model::resolve_aliases(&alias);
  if (const char* name = primitive_name(type.kind)) return gen + "::Codec<" + name + ">";
  switch (type.kind) {
    case TypeKind::Any: return gen + "::Codec<::CORBA::Any>";
    case TypeKind::TypeCode: return gen + "::Codec<" + cpp_type(type) + ">";
    case TypeKind::Object: return gen + "::Reference<::CORBA::Object>";
    case TypeKind::ValueBase: return gen + "::Value<::CORBA::ValueBase>";
    case TypeKind::String: return bounded(gen + "::String", type.bound);
    case TypeKind::WString: return bounded(gen + "::WString", type.bound);
    case TypeKind::Fixed:
      return gen + "::FixedPoint<" + std::to_string(type.digits) + ", " + std::to_string(type.scale) + ">";
    case TypeKind::Sequence:
      return gen + "::Sequence<" + codec(*type.element, gen) +
             (type.bound != 0 ? ", " + std::to_string(type.bound) : "") + ">";
    case TypeKind::Map:
      return gen + "::Map<" + codec(*type.key, gen) + ", " + codec(*type.element, gen) +
             (type.bound != 0 ? ", " + std::to_string(type.bound) : "") + ">";
    case TypeKind::Array: return wrapped_in_arrays(type, codec(*type.element, gen), gen + "::Array");
    case TypeKind::Named: return decl_codec(*type.decl, gen);
    default: throw std::logic_error("a type without a codec got through");
  }
}

std::string view_type(const Type& type) {
  return "std::span<const " + cpp_type(*model::resolve_aliases(&type)->element) + ">";
}

std::string view_codec(const Type& type, const std::string& gen) {
  const std::string sequence = gen + "::Sequence<";
  const std::string arguments = codec(type, gen).substr(sequence.size());
  const model::Struct* record = model::sequence_of_constant_structs(type);
  if (record == nullptr) return gen + "::View<" + arguments;
  return gen + "::StructView<" + std::to_string(model::constant_layout(*record)->first) + ", " + arguments;
}

bool is_sent_from_span(const model::Parameter& parameter) {
  return model::is_view(parameter) &&
         model::resolve_aliases(model::resolve_aliases(parameter.type)->element)->kind != TypeKind::Boolean;
}

std::string put_statement(const Type& type, const std::string& value, const std::string& gen) {
  if (is_plain(type)) return "out.put(" + value + ");";
  return codec(type, gen) + "::put(out, " + value + ");";
}

std::string get_statement(const Type& type, const std::string& value, const std::string& gen) {
  if (is_plain(type)) return value + " = in.get<" + cpp_type(*model::resolve_aliases(&type)) + ">();";
  return codec(type, gen) + "::get(in, " + value + ");";
}

}  // namespace tenon::idl::cpp
