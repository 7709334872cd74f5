// SPDX-License-Identifier: Apache-2.0
//
// The numbers that an object understands in place of operations' names (components.hpp). Values.
#pragma once

#include <cstdint>
#include <span>

#include "base/operation_number.hpp"

namespace tenon::ior {

/// The number of the first operation of one interface; its further operations have the following numbers.
struct InterfaceNumbers {
  std::uint64_t fingerprint;  ///< of the interface with all that the numbers depend on
  std::uint16_t first;
  bool operator==(const InterfaceNumbers&) const = default;
};

/// What references to an object announce.
struct Numbering {
  NumberCheck check;
  std::span<const InterfaceNumbers> interfaces;
};

}  // namespace tenon::ior
