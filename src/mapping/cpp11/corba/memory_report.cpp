// SPDX-License-Identifier: Apache-2.0
#include "tenon/memory.hpp"

namespace tenon {

std::array<MemoryUse, memory::kinds> memory_report() noexcept {
  static constexpr const char* names[memory::kinds] = {"buffers", "connections", "requests", "objects"};
  std::array<MemoryUse, memory::kinds> found;
  const memory::Source* const known = memory::source.load(std::memory_order_acquire);
  for (std::size_t i = 0; i < memory::kinds; ++i) {
    std::size_t used[4] = {};
    if (known != nullptr) known->report(static_cast<memory::Kind>(i), used);
    found[i] = {names[i], used[0], used[1], used[2], used[3]};
  }
  return found;
}

}  // namespace tenon
