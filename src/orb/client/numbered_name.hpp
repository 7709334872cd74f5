// SPDX-License-Identifier: Apache-2.0
//
// An operation as a stub names it to objects that offer numbers. It has a header of its own, so that stubs include no more of the engine.
#pragma once

#include <cstdint>
#include <string_view>

namespace tenon::orb {

/// An operation that may go by number, to objects whose profile offers that (ior::OperationNumbers).
struct NumberedName {
  std::string_view name;
  std::uint64_t interface;  ///< fingerprint
  std::uint16_t number;     ///< among that interface's operations
};

}  // namespace tenon::orb
