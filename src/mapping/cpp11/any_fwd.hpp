// SPDX-License-Identifier: Apache-2.0
//
// Names of the typed wing, for declarations in headers of programs that may do without it. Their definitions are in
// src/dynamic, which gen/any.hpp includes.
#pragma once

namespace CORBA {
inline namespace cpp11 {
class Any;
class TypeCode;
}  // namespace cpp11
}  // namespace CORBA

namespace tenon::gen {
class TypeConstant;
}
