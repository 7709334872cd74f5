// SPDX-License-Identifier: Apache-2.0
#include "idl/backends/cpp/operation_slots.hpp"

#include <algorithm>
#include <utility>

#include "base/operation_hash.hpp"

namespace tenon::idl::cpp {

OperationSlots find_slots(const std::vector<Call>& calls) {
  constexpr std::uint32_t most_seeds = 20000;
  std::size_t size = 1;
  while (size < calls.size()) size *= 2;
  for (;; size *= 2) {
    // the chance that a seed has no collisions; sizes where most_seeds of them will hardly do are not tried
    double chance = 1;
    for (std::size_t i = 0; i < calls.size(); ++i)
      chance *= 1 - static_cast<double>(i) / static_cast<double>(size);
    if (chance * most_seeds < 0.1) continue;
    std::vector<std::uint32_t> taken(size);  // by seed + 1: nothing to clear between seeds
    for (std::uint32_t seed = 0; seed < most_seeds; ++seed) {
      const bool free = std::all_of(calls.begin(), calls.end(), [&](const Call& call) {
        return std::exchange(taken[operation_hash(call.wire, seed) & (size - 1)], seed + 1) != seed + 1;
      });
      if (!free) continue;
      OperationSlots hash{seed, std::vector<std::uint16_t>(size)};
      std::uint16_t number = 0;
      for (const Call& call : calls) hash.slots[operation_hash(call.wire, seed) & (size - 1)] = ++number;
      return hash;
    }
  }
}

}  // namespace tenon::idl::cpp
