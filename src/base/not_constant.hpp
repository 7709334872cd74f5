// SPDX-License-Identifier: Apache-2.0
//
// How a function that runs while compiling refuses its arguments, also where there are no exceptions.
#pragma once

namespace tenon {

/// Not a constant expression: the compiler's error shows the line with `why`. `if (wrong) not_constant("what is wrong");`
inline void not_constant([[maybe_unused]] const char* why) noexcept {}

}  // namespace tenon
