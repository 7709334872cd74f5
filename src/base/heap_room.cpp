// SPDX-License-Identifier: Apache-2.0
#include "base/heap_room.hpp"

#include <cstdlib>

namespace tenon {

bool heap_has(std::size_t octets) noexcept {
  void* volatile const room =
      std::malloc(octets);  // volatile: a compiler may leave out what is only released again
  std::free(room);
  return room != nullptr;
}

}  // namespace tenon
