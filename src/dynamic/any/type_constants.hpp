// SPDX-License-Identifier: Apache-2.0
//
// The TypeCodes of IDL's own types, as nodes that other constants refer to: CORBA::_tc_long (typecode.hpp), and TypeCodes of generated
// code. A generated foo_any.cpp includes no more than this, which costs a small part of typecode.hpp to compile. Constant data; safe
// from any thread.
#pragma once

#include "types/type_node.hpp"

namespace tenon::gen {

template <types::Kind K>
inline constexpr types::TypeCode basic_type = types::basic_type(K);
inline constexpr types::TypeCode value_base_type =
    types::value_type("IDL:omg.org/CORBA/ValueBase:1.0", "ValueBase", types::Modifier::none, nullptr, {});
inline constexpr types::TypeCode object_type =
    types::named_type(types::Kind::tk_objref, "IDL:omg.org/CORBA/Object:1.0", "Object");

}  // namespace tenon::gen
