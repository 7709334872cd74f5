// SPDX-License-Identifier: Apache-2.0
#include "poa/servant_index.hpp"

#include <algorithm>
#include <utility>

#include "base/memory.hpp"

namespace tenon::poa {

std::uint32_t& ServantIndex::chain_of(const Servant& servant) const noexcept {
  const std::uint64_t mixed = std::uint64_t{reinterpret_cast<std::uintptr_t>(&servant)} * 0x9E3779B97F4A7C15u;
  return chains_[static_cast<std::uint32_t>(mixed >> 32) & (count_of_chains_ - 1)];
}

ServantIndex::~ServantIndex() { memory::release(chains_); }

bool ServantIndex::reserve_one(const SlotArray& slots) noexcept {
  if (used_ < count_of_chains_) return true;
  const std::uint32_t before = count_of_chains_;
  const std::uint32_t more = before != 0 ? 2 * before : 8;
  auto* const fresh =
      static_cast<std::uint32_t*>(memory::allocate(memory::Kind::objects, more * sizeof(std::uint32_t)));
  if (fresh == nullptr) return false;
  std::fill_n(fresh, more, 0u);
  std::uint32_t* const old = std::exchange(chains_, fresh);
  count_of_chains_ = more;
  for (std::uint32_t i = 0; i < before; ++i) {
    for (std::uint32_t place = old[i]; place != 0;) {
      Slot& slot = *slots.at(place - 1);
      place = slot.next_by_servant;
      slot.next_by_servant = std::exchange(chain_of(*slot.servant), slot.index + 1);
    }
  }
  memory::release(old);
  return true;
}

void ServantIndex::add(Slot& slot, const SlotArray& slots) noexcept {
  Slot* const same = find(*slot.servant, slots);
  if (same == nullptr) {
    slot.next_by_servant = std::exchange(chain_of(*slot.servant), slot.index + 1);
    slot.next_same = slot.before_same = slot.index + 1;
    ++used_;
    return;
  }
  slot.before_same = same->index + 1;
  slot.next_same = std::exchange(same->next_same, slot.index + 1);
  slots.at(slot.next_same - 1)->before_same = slot.index + 1;
}

bool ServantIndex::remove(Slot& slot, const SlotArray& slots) noexcept {
  const std::uint32_t next = std::exchange(slot.next_same, 0);
  if (next == 0) return false;
  const bool alone = next == slot.index + 1;
  std::uint32_t* place = &chain_of(*slot.servant);
  while (*place != 0 && *place != slot.index + 1) place = &slots.at(*place - 1)->next_by_servant;
  if (*place != 0) {
    // It stands for the ring: the next one does from here on.
    *place = alone ? slot.next_by_servant : next;
    if (!alone) slots.at(next - 1)->next_by_servant = slot.next_by_servant;
  }
  if (alone) {
    --used_;
    return false;
  }
  slots.at(next - 1)->before_same = slot.before_same;
  slots.at(slot.before_same - 1)->next_same = next;
  return true;
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

Slot* ServantIndex::find_active(const Servant& servant, const SlotArray& slots) const noexcept {
  Slot* const first = find(servant, slots);
  for (Slot* slot = first; slot != nullptr;) {
    if (slot->is_active()) return slot;
    slot = slots.at(slot->next_same - 1);
    if (slot == first) return nullptr;
  }
  return nullptr;
}

}  // namespace tenon::poa
