// SPDX-License-Identifier: Apache-2.0
//
// The perfect hash by which a skeleton finds its operations (base/operation_hash.hpp). A pure function.
#pragma once

#include <cstdint>
#include <vector>

#include "idl/backends/cpp/emit.hpp"

namespace tenon::idl::cpp {

struct OperationSlots {
  std::uint32_t seed = 0;
  std::vector<std::uint16_t> slots;  // a power of two of them: number of the operation + 1, or 0
};

// Has the smallest power of two as its size for which a seed without collisions is found soon.
OperationSlots find_slots(const std::vector<Call>& calls);

}  // namespace tenon::idl::cpp
