// SPDX-License-Identifier: Apache-2.0
//
// Enumerations inside blocks, for what reads blocks and what shows them where they lie. No state; any thread.
#pragma once

#include <cstddef>

#include "cdr/block.hpp"

namespace tenon::cdr {

/// Whether each enumeration of `count` blocks has a value that it may have.
bool check_enumerations(const Block& block, const void* from, std::size_t count) noexcept;

}  // namespace tenon::cdr
