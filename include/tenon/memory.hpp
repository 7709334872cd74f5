// SPDX-License-Identifier: Apache-2.0
//
// Who holds the ORB's memory, for a program that has told it limits (Configuration::limits, tenon::parts::known_memory):
//
//   for (const tenon::MemoryUse& each : tenon::memory_report())
//     std::printf("%-12s %8zu of %8zu octets, at most %8zu, %zu refused\n", each.kind, each.in_use, each.reserved,
//                 each.most_in_use, each.refused);
#pragma once

#include <tenon/language.hpp>

#include <array>
#include <cstddef>

#include "base/memory.hpp"

namespace tenon {

/// One kind of memory. A block is a power of two of octets, 64 at least; it counts as a whole.
struct MemoryUse {
  const char* kind = "";        ///< "buffers", "connections", "requests", "objects"
  std::size_t reserved = 0;     ///< octets that were taken at the start
  std::size_t in_use = 0;       ///< octets of blocks that are in use now
  std::size_t most_in_use = 0;  ///< the most of them that there have been at a time
  std::size_t refused =
      0;  ///< how often something was refused, since there was none, or since there were as many as may be
};

/// Of each kind, for all ORBs of the process. Zeros if no ORB has limits: then the memory is the heap's, and nobody counts. Any thread.
std::array<MemoryUse, memory::kinds> memory_report() noexcept;

}  // namespace tenon
