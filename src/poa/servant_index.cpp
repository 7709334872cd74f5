// SPDX-License-Identifier: Apache-2.0
#include "poa/servant_index.hpp"

#include <utility>

namespace tenon::poa {

std::uint32_t& ServantIndex::chain_of(const Servant& servant) const noexcept {
  const std::uint64_t mixed = std::uint64_t{reinterpret_cast<std::uintptr_t>(&servant)} * 0x9E3779B97F4A7C15u;
  return chains_[static_cast<std::uint32_t>(mixed >> 32) & (count_of_chains_ - 1)];
}

void ServantIndex::reserve_one(const SlotArray& slots) {
  if (used_ < count_of_chains_) return;
  const std::uint32_t before = count_of_chains_;
  const std::uint32_t more = before != 0 ? 2 * before : 8;
  const std::unique_ptr<std::uint32_t[]> old =
      std::exchange(chains_, std::unique_ptr<std::uint32_t[]>(new std::uint32_t[more]()));
  count_of_chains_ = more;
  for (std::uint32_t i = 0; i < before; ++i) {
    for (std::uint32_t place = old[i]; place != 0;) {
      Slot& slot = *slots.at(place - 1);
      place = slot.next_by_servant;
      --used_;
      add(slot);
    }
  }
}

void ServantIndex::add(Slot& slot) noexcept {
  slot.next_by_servant = std::exchange(chain_of(*slot.servant), slot.index + 1);
  ++used_;
}

void ServantIndex::remove(const Slot& slot, const SlotArray& slots) noexcept {
  if (used_ == 0 || slot.servant == nullptr) return;
  std::uint32_t* place = &chain_of(*slot.servant);
  while (*place != 0 && *place != slot.index + 1) place = &slots.at(*place - 1)->next_by_servant;
  if (*place == 0) return;
  *place = slot.next_by_servant;
  --used_;
}

Slot* ServantIndex::find(const Servant& servant, const SlotArray& slots) const noexcept {
  if (used_ == 0) return nullptr;
  for (std::uint32_t place = chain_of(servant); place != 0;) {
    Slot& slot = *slots.at(place - 1);
    if (slot.servant == &servant) return &slot;
    place = slot.next_by_servant;
  }
  return nullptr;
}

}  // namespace tenon::poa
