// SPDX-License-Identifier: Apache-2.0
//
// What the engine knows of memory: vectors (base/raw_vector.hpp, which layout_test.cpp proves right), and classes of its own.
#pragma once

#include <cstdint>

#include "base/raw_vector.hpp"

namespace tenon::marshal {

/// A union whose memory is the engine's own (of types met at run time): its member lies behind this head.
struct alignas(16) ChoiceHead {
  std::uint64_t label = 0;  ///< the discriminator's bits, of its width
  std::int32_t which = -1;  ///< the case number as in the unit's cases; -1: no member
  void* member() noexcept { return this + 1; }
  const void* member() const noexcept { return this + 1; }
};

}  // namespace tenon::marshal
