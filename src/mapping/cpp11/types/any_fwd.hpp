// SPDX-License-Identifier: Apache-2.0
//
// Names of the typed wing, for declarations in headers of programs that may do without it. Their definitions are in
// src/dynamic, which gen/any.hpp includes.
#pragma once

#include <string>
#include <vector>

#include "mapping/cpp11/corba/object_reference.hpp"

namespace CORBA {
inline namespace cpp11 {
class Any;       // whole in <tenon/gen/any.hpp>, which every foo_any.hpp includes
class TypeCode;  // the same
template <>
class object_reference<TypeCode>;
using TypeCodeRef = object_reference<TypeCode>;
class StructMember;
class UnionMember;
class ValueMember;
using StructMemberSeq = std::vector<StructMember>;
using UnionMemberSeq = std::vector<UnionMember>;
using ValueMemberSeq = std::vector<ValueMember>;
using EnumMemberSeq = std::vector<std::string>;
}  // namespace cpp11
}  // namespace CORBA

namespace tenon::types {
struct TypeCode;  // NOLINT(bugprone-forward-declaration-namespace): CORBA has a class of that name, too
}
