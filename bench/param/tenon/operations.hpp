// SPDX-License-Identifier: Apache-2.0
//
// The seven operations of Param_Test by the name of their type, with the value that the paper sends: strings of 128 characters,
// sequences of 9 elements. Without state.
#pragma once

#include <string>
#include <vector>

#include "param.hpp"

namespace param {

inline constexpr std::size_t elements = 9;

inline std::string text() { return std::string(128, 't'); }
inline Param::StrSeq str_seq() { return Param::StrSeq(elements, text()); }
inline Param::VarStruct var_struct() { return Param::VarStruct(text(), text(), str_seq()); }
inline Param::StructSeq struct_seq() { return Param::StructSeq(elements, var_struct()); }

/// Calls visit(value, operation), where operation(object, in, inout, out) is the stub. What `visit` returns, or an empty string when
/// there is no such type.
template <class Visit>
std::string with_type(const std::string& type, const Visit& visit) {
  if (type == "short")
    return visit(std::int16_t{7},
                 [](auto& o, auto in, auto& io, auto& out) { return o.test_short(in, io, out); });
  if (type == "ubstring")
    return visit(text(), [](auto& o, auto& in, auto& io, auto& out) { return o.test_ubstring(in, io, out); });
  if (type == "fixed_struct")
    return visit(Param::FixedStruct(1, 'c', 2, 3, 4.0F, true, 5.0),
                 [](auto& o, auto& in, auto& io, auto& out) { return o.test_fixed_struct(in, io, out); });
  if (type == "strseq")
    return visit(str_seq(),
                 [](auto& o, auto& in, auto& io, auto& out) { return o.test_strseq(in, io, out); });
  if (type == "var_struct")
    return visit(var_struct(),
                 [](auto& o, auto& in, auto& io, auto& out) { return o.test_var_struct(in, io, out); });
  if (type == "nested_struct")
    return visit(Param::NestedStruct(var_struct()),
                 [](auto& o, auto& in, auto& io, auto& out) { return o.test_nested_struct(in, io, out); });
  if (type == "struct_seq")
    return visit(struct_seq(),
                 [](auto& o, auto& in, auto& io, auto& out) { return o.test_struct_seq(in, io, out); });
  return "";
}

}  // namespace param
