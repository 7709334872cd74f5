// SPDX-License-Identifier: Apache-2.0
//
// The one source of this folder that throws: std::bad_alloc, to its own function that catches it.
#include "poa/octets.hpp"

namespace tenon::poa {

bool make_room(Octets& octets, std::size_t size) noexcept {
  try {
    octets.resize(size);
    return true;
  } catch (...) {
    return false;
  }
}

}  // namespace tenon::poa
