// SPDX-License-Identifier: Apache-2.0
//
// How much memory a value holds, by its program. For code that keeps values and must say how much that is.
#pragma once

#include "marshal/program.hpp"

namespace tenon::marshal {

/// Bytes that the value has allocated, besides its own. Parts that only C++ knows (references, maps, values) are not counted.
std::size_t footprint(const Unit& unit, TypeIndex type, const void* value) noexcept;

}  // namespace tenon::marshal
