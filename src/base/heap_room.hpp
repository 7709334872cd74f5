// SPDX-License-Identifier: Apache-2.0
//
// For text whose size a peer chooses, such as what it says about an exception: asked before it is made, since what makes it (std::string)
// cannot say no. Any thread.
#pragma once

#include <cstddef>

namespace tenon {

/// Whether the heap has so many octets just now, beyond what is set aside (memory.hpp).
bool heap_has(std::size_t octets) noexcept;

}  // namespace tenon
