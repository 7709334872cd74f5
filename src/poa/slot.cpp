// SPDX-License-Identifier: Apache-2.0
//
// Ids that are kept beside a slot: one block of memory each.
#include "poa/slot.hpp"

#include <cstring>
#include <new>

namespace tenon::poa {

IdText* IdText::make(ByteView id, std::uint64_t hash) {
  auto* made = static_cast<IdText*>(::operator new(sizeof(IdText) + id.size()));
  made->hash = hash;
  made->size = static_cast<std::uint32_t>(id.size());
  if (!id.empty()) std::memcpy(made + 1, id.data(), id.size());
  return made;
}

void IdText::drop(IdText* id) noexcept {
  if (id != &no_id) ::operator delete(id);
}

}  // namespace tenon::poa
