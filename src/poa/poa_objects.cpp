// SPDX-License-Identifier: Apache-2.0
//
// The active object map of a POA (CORBA 3.4 part 1 §15.3.9): servants come into slots and leave them. Here every id names its slot; others
// are in activate_with.cpp.
#include <limits>

#include "base/minor_codes.hpp"
#include "poa/octets.hpp"
#include "poa/poa.hpp"
#include "poa/root_adapter.hpp"

namespace tenon::poa {

// --- slots; with the adapter's mutex held ---

Outcome<Slot*> Poa::room_for(const Servant* servant) noexcept {
  if (root_->objects_ >= root_->objects_most_) {
    memory::count_refusal(memory::Kind::objects);
    return errors::memory_limit_reached;
  }
  if (servant != nullptr && indexes_servants() && !by_servant_.reserve_one(entry_->slots))
    return memory::shortage();
  if (first_free_ != 0) return entry_->slots.at(first_free_ - 1);
  if (grown_ == SlotArray::capacity) return errors::too_many_objects;
  Slot* slot = entry_->slots.grow(grown_, root_->slot_pool_);
  if (slot == nullptr) return memory::shortage();
  // It is first in the free list until place() takes it, so it is not grown a second time.
  slot->index = grown_;
  slot->next = 0;
  first_free_ = ++grown_;
  return slot;
}

void Poa::place(Slot& slot, Servant* servant, IdText* id) noexcept {
  first_free_ = slot.next;
  ++live_;
  ++root_->objects_;
  if (servant != nullptr) servant->add_ref();
  slot.servant = servant;
  slot.poa = this;
  slot.id = id;
  if (servant != nullptr && id != &no_id && indexes_servants()) by_servant_.add(slot, entry_->slots);
  slot.word.store(std::uint64_t{slot.generation()} << 32 | Slot::active, std::memory_order_release);
}

void Poa::free_slot(Slot& slot) noexcept {
  if (slot.id != nullptr) root_->named_->forget(*this, slot);
  slot.servant = nullptr;
  --live_;
  --root_->objects_;
  const std::uint64_t generation = slot.generation();
  slot.word.store((generation + 1) << 32, std::memory_order_release);
  // A slot whose generations are used up is not used again while this process lives.
  if (generation == std::numeric_limits<std::uint32_t>::max() - 1) return;
  slot.next = first_free_;
  first_free_ = slot.index + 1;
}

bool Poa::close(Slot& slot, std::uint64_t ending) noexcept {
  if (!policies_.has_activator()) by_servant_.remove(slot, entry_->slots);
  std::uint64_t seen = slot.word.load(std::memory_order_relaxed);
  while (!slot.word.compare_exchange_weak(seen, (seen & ~Slot::active) | Slot::closing | ending,
                                          std::memory_order_acq_rel, std::memory_order_relaxed)) {}
  return (seen & Slot::count_mask) == 0;
}

std::uint32_t Poa::close_all(std::uint64_t ending) noexcept {
  std::uint32_t first = 0;
  for (std::uint32_t i = grown_; i-- > 0;) {  // so that they come in the order of their slots
    Slot& slot = *entry_->slots.at(i);
    if (!slot.is_active() || slot.servant == nullptr || !close(slot, ending)) continue;
    slot.next = first;
    first = slot.index + 1;
  }
  return first;
}

std::uint32_t Poa::end_all(bool etherealize) noexcept {
  ended_ = true;
  ending_ = etherealize && ending_of_one_ != 0 ? ending_of_one_ | Slot::cleanup : 0;
  return close_all(ending_);
}

Slot* Poa::find_active(ByteView id) const noexcept {
  Slot* slot = find_slot(id);
  return slot != nullptr && slot->is_active() ? slot : nullptr;
}

Slot* Poa::find_slot(ByteView id) const noexcept {
  std::uint32_t index = 0;
  std::uint32_t generation = 0;
  if (entry_ == nullptr) return nullptr;
  if (read_slot_id(id, index, generation) && index < grown_) {
    Slot* slot = entry_->slots.at(index);
    const std::uint64_t word = slot->word.load(std::memory_order_relaxed);
    if ((word & Slot::active) != 0 && word >> 32 == generation && slot->id == nullptr) return slot;
  }
  return root_->named_ != nullptr ? root_->named_->find(*this, id) : nullptr;
}

Outcome<ObjectId> Poa::id_of_slot(const Slot& slot) const {
  if (slot.id == nullptr) return make_slot_id(slot.index, slot.generation());
  return copied(slot.id->bytes());
}

const Frame* Poa::running(const Servant& servant) const noexcept {
  const Frame* frame = current_frame;
  return frame != nullptr && frame->poa == this && frame->servant == &servant ? frame : nullptr;
}

Outcome<Slot*> Poa::activate_new(Servant& servant) {
  const Outcome<Slot*> slot = room_for(&servant);
  if (slot) place(**slot, &servant, nullptr);
  return slot;
}

// --- operations ---

Outcome<ObjectId> Poa::activate(Servant& servant) {
  if (!policies_.system_ids() || !policies_.retains()) return Exception::wrong_policy;
  LockGuard lock(root_->mutex_);
  if (const Fault fault = gone()) return fault;
  if (policies_.unique() && is_active(servant)) return Exception::servant_already_active;
  const Outcome<Slot*> slot = activate_new(servant);
  if (!slot) return slot.fault();
  return id_of_slot(**slot);
}

Outcome<void> Poa::deactivate(ByteView id) {
  if (!policies_.retains()) return Exception::wrong_policy;
  Slot* slot = nullptr;
  {
    LockGuard lock(root_->mutex_);
    if (const Fault fault = gone()) return fault;
    slot = find_active(id);
    if (slot == nullptr) return Exception::object_not_active;
    if (!close(*slot, ending_of_one_)) return {};
  }
  root_->finish(*slot);
  return {};
}

Outcome<ObjectId> Poa::servant_to_id(Servant& servant) {
  LockGuard lock(root_->mutex_);
  if (const Fault fault = gone()) return fault;
  if (const Slot* active = by_servant_.find_active(servant, entry_->slots)) return id_of_slot(*active);
  const Outcome<Slot*> slot = activate_new(servant);
  if (!slot) return slot.fault();
  return id_of_slot(**slot);
}

Outcome<Ref<Servant>> Poa::id_to_servant(ByteView id) const {
  LockGuard lock(root_->mutex_);
  if (const Fault fault = gone()) return fault;
  const Slot* slot = find_active(id);
  if (slot == nullptr) return Exception::object_not_active;
  return Ref<Servant>(slot->servant);
}

}  // namespace tenon::poa
