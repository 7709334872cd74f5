// SPDX-License-Identifier: Apache-2.0
//
// The types of the IDL model: what a member, parameter, constant or typedef is made of.
//
// A Type is a small immutable node that the Model owns; nodes are shared freely and compared by meaning with
// same_type() (model/query.hpp), never by address. Constructed types (struct, interface, ...) are
// declarations: a Type refers to them by kind Named. Aliases are kept: resolve_aliases() strips them.
// Threads: immutable after sema, so any number of readers.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tenon::idl::model {

struct Decl;

enum class TypeKind : std::uint8_t {
  Void,  // an operation's result only
  Boolean,
  Char,
  WChar,
  Octet,
  Int8,   // IDL 4.2 extension of the CORBA profile: one octet on the wire, see docs/idl.md
  UInt8,  // ditto
  Short,  // short and int16 are one type, and so on
  UShort,
  Long,
  ULong,
  LongLong,
  ULongLong,
  Float,
  Double,
  LongDouble,
  Any,
  TypeCode,   // CORBA::TypeCode
  Object,     // the implicit root of all interfaces
  ValueBase,  // the implicit root of all value types
  String,     // bound
  WString,    // bound
  Fixed,      // digits, scale; digits == 0 only as the type of a `const fixed`
  Sequence,   // element, bound
  Array,      // element, dimensions
  Map,        // key, element, bound
  Named,      // decl: Typedef, Struct, Union, Enum, Bitmask, Bitset, Interface, ValueType, ValueBox or Native
};

// Which fields mean something depends on kind, as said above; the others are zero.
struct Type {
  TypeKind kind = TypeKind::Void;
  std::uint64_t bound = 0;  // 0: unbounded
  std::uint16_t digits = 0;
  std::uint16_t scale = 0;
  const Type* element = nullptr;  // of an Array: the type below all dimensions
  const Type* key = nullptr;
  std::vector<std::uint64_t> dimensions;  // `long a[2][3]` has {2, 3}
  // An Interface, ValueType, Struct or Union is always the node of its definition, also when the use stands
  // between a forward declaration and the definition (Interface::defined tells whether there is one).
  const Decl* decl = nullptr;
};

}  // namespace tenon::idl::model
