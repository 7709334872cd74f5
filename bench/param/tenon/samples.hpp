// SPDX-License-Identifier: Apache-2.0
//
// The values of Param_Test as the paper has them: strings of 128 characters, sequences of 9 elements. Without state.
#pragma once

#include <string>
#include <vector>

#include "param.hpp"

namespace samples {

inline constexpr std::size_t elements = 9;

inline std::string text() { return std::string(128, 't'); }

inline Param::StrSeq str_seq() { return Param::StrSeq(elements, text()); }

inline Param::FixedStruct fixed_struct() { return Param::FixedStruct(1, 'c', 2, 3, 4.0F, true, 5.0); }

inline Param::VarStruct var_struct() { return Param::VarStruct(text(), text(), str_seq()); }

inline Param::NestedStruct nested_struct() { return Param::NestedStruct(var_struct()); }

inline Param::StructSeq struct_seq() { return Param::StructSeq(elements, var_struct()); }

}  // namespace samples
