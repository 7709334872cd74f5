// SPDX-License-Identifier: Apache-2.0
//
// The direction of a parameter (CORBA 3.4 part 1 §14.5.13), for interceptors and the interface repository. A value.
#pragma once

#include <cstdint>

#include "mapping/cpp11/types/codec.hpp"

namespace CORBA {
inline namespace cpp11 {

enum class ParameterMode : std::uint32_t { PARAM_IN, PARAM_OUT, PARAM_INOUT };

}  // namespace cpp11
}  // namespace CORBA

namespace tenon::gen {

template <>
struct Codec<CORBA::ParameterMode> : Enum<CORBA::ParameterMode, 3> {};

}  // namespace tenon::gen
