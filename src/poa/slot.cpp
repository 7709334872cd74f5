// SPDX-License-Identifier: Apache-2.0
//
// Ids that are kept beside a slot: one block of memory each.
#include "poa/slot.hpp"

#include <cstring>
#include <limits>
#include <new>

#include "base/memory.hpp"
#include "poa/object_key.hpp"

namespace tenon::poa {

IdText* IdText::make(std::size_t size) noexcept {
  if (size > std::numeric_limits<std::uint32_t>::max()) return nullptr;
  void* const memory = memory::allocate(memory::Kind::objects, sizeof(IdText) + size);
  return memory != nullptr ? new (memory) IdText{0, static_cast<std::uint32_t>(size)} : nullptr;
}

IdText* IdText::make(ByteView octets) noexcept {
  IdText* const made = make(octets.size());
  if (made == nullptr) return nullptr;
  if (!octets.empty()) std::memcpy(made + 1, octets.data(), octets.size());
  made->hash = hash_octets(octets);
  return made;
}

void IdText::drop(IdText* id) noexcept {
  if (id != &no_id) memory::release(id);
}

}  // namespace tenon::poa
