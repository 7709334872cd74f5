// SPDX-License-Identifier: Apache-2.0
//
// Words for kinds, as messages and dumps use them.
#include "idl/model/query.hpp"

namespace tenon::idl::model {

const char* to_string(DeclKind kind) {
  switch (kind) {
    case DeclKind::Module: return "module";
    case DeclKind::Interface: return "interface";
    case DeclKind::ValueType: return "valuetype";
    case DeclKind::ValueBox: return "value box";
    case DeclKind::Struct: return "struct";
    case DeclKind::Union: return "union";
    case DeclKind::Enum: return "enum";
    case DeclKind::Enumerator: return "enumerator";
    case DeclKind::Bitmask: return "bitmask";
    case DeclKind::Bitset: return "bitset";
    case DeclKind::Typedef: return "typedef";
    case DeclKind::Constant: return "constant";
    case DeclKind::Exception: return "exception";
    case DeclKind::Operation: return "operation";
    case DeclKind::Attribute: return "attribute";
    case DeclKind::StateMember: return "state member";
    case DeclKind::Initializer: return "factory";
    case DeclKind::Native: return "native";
    case DeclKind::Forward: return "forward declaration";
    case DeclKind::Annotation: return "annotation";
  }
  return "";
}

const char* to_string(TypeKind kind) {
  switch (kind) {
    case TypeKind::Void: return "void";
    case TypeKind::Boolean: return "boolean";
    case TypeKind::Char: return "char";
    case TypeKind::WChar: return "wchar";
    case TypeKind::Octet: return "octet";
    case TypeKind::Int8: return "int8";
    case TypeKind::UInt8: return "uint8";
    case TypeKind::Short: return "short";
    case TypeKind::UShort: return "unsigned short";
    case TypeKind::Long: return "long";
    case TypeKind::ULong: return "unsigned long";
    case TypeKind::LongLong: return "long long";
    case TypeKind::ULongLong: return "unsigned long long";
    case TypeKind::Float: return "float";
    case TypeKind::Double: return "double";
    case TypeKind::LongDouble: return "long double";
    case TypeKind::Any: return "any";
    case TypeKind::TypeCode: return "CORBA::TypeCode";
    case TypeKind::Object: return "Object";
    case TypeKind::ValueBase: return "ValueBase";
    case TypeKind::String: return "string";
    case TypeKind::WString: return "wstring";
    case TypeKind::Fixed: return "fixed";
    case TypeKind::Sequence: return "sequence";
    case TypeKind::Array: return "array";
    case TypeKind::Map: return "map";
    case TypeKind::Named: return "named type";
  }
  return "";
}

}  // namespace tenon::idl::model
