// SPDX-License-Identifier: Apache-2.0
//
// Forward declarations of Any and TypeCode, for headers of programs that may do without them. Their definitions are in
// src/dynamic, which gen/any.hpp includes.
#pragma once

#include <string>
#include <vector>

#include "tenon/corba/object_reference.hpp"

namespace CORBA {
inline namespace cpp11 {
class Any;       // defined in <tenon/gen/any.hpp>, which every foo_any.hpp includes
class TypeCode;  // defined there, too
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
