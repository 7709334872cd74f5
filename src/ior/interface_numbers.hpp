// SPDX-License-Identifier: Apache-2.0
//
// What one interface adds to the numbers that an object understands in place of operations' names (components.hpp). A value.
#pragma once

#include <cstdint>

namespace tenon::ior {

/// The number of the first operation of one interface; its further operations have the following numbers.
struct InterfaceNumbers {
  std::uint64_t fingerprint;  ///< of the interface with all that the numbers depend on
  std::uint16_t first;
  bool operator==(const InterfaceNumbers&) const = default;
};

}  // namespace tenon::ior
