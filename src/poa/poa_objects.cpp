// SPDX-License-Identifier: Apache-2.0
//
// The active object map of a POA (CORBA 3.4 part 1 §15.3.9): servants come into slots and leave them.
#include <limits>

#include "base/minor_codes.hpp"
#include "poa/poa.hpp"
#include "poa/root_adapter.hpp"

namespace tenon::poa {

// --- slots; with the adapter's mutex held ---

Slot* Poa::free_slot_ahead() {
  if (first_free_ != 0) return entry_->slots.at(first_free_ - 1);
  if (grown_ == SlotArray::capacity) return nullptr;
  Slot* slot = entry_->slots.grow(grown_, root_->slot_pool_);
  // It is first in the free list until occupy() takes it, so it is not grown a second time.
  slot->index = grown_;
  slot->next = 0;
  first_free_ = ++grown_;
  return slot;
}

void Poa::free_slot(Slot& slot) noexcept {
  if (keeps_closing_ids() && slot.id != nullptr && slot.id != &no_id) {
    entry_->ids.erase(slot.id->hash, slot.index);
  }
  IdText::drop(slot.id);
  slot.id = nullptr;
  slot.servant = nullptr;
  --live_;
  const std::uint64_t generation = slot.generation();
  slot.word.store((generation + 1) << 32, std::memory_order_release);
  // A slot whose generations are used up is not used again while this process lives.
  if (generation == std::numeric_limits<std::uint32_t>::max() - 1) return;
  slot.next = first_free_;
  first_free_ = slot.index + 1;
}

Outcome<Slot*> Poa::occupy(Servant* servant, Naming naming, ByteView id) {
  Slot* slot = free_slot_ahead();
  if (slot == nullptr) return errors::too_many_objects;
  IdText* text = naming == Naming::none ? &no_id : nullptr;
  if (naming == Naming::text) {
    entry_->ids.reserve_one(root_->cells_pool_);
    text = IdText::make(id, hash_octets(id));
  }
  if (servant != nullptr && naming != Naming::none && tracks_servants()) {
    try {
      Activations& known = servants_[servant];
      if (policies_.unique()) known.active = slot;
      ++known.count;
    } catch (...) {
      IdText::drop(text);
      throw;
    }
  }

  first_free_ = slot->next;
  ++live_;
  if (servant != nullptr) servant->add_ref();
  slot->servant = servant;
  slot->poa = this;
  slot->id = text;
  slot->word.store(std::uint64_t{slot->generation()} << 32 | Slot::active, std::memory_order_release);
  if (naming == Naming::text) entry_->ids.insert(text->hash, slot->index);
  return slot;
}

bool Poa::close(Slot& slot, std::uint64_t ending) noexcept {
  const bool has_text = slot.id != nullptr && slot.id != &no_id;
  if (has_text && !keeps_closing_ids()) entry_->ids.erase(slot.id->hash, slot.index);
  if (policies_.unique()) {
    const auto known = servants_.find(slot.servant);
    if (known != servants_.end() && known->second.active == &slot) known->second.active = nullptr;
  }
  std::uint64_t seen = slot.word.load(std::memory_order_relaxed);
  while (!slot.word.compare_exchange_weak(seen, (seen & ~Slot::active) | Slot::closing | ending,
                                          std::memory_order_acq_rel, std::memory_order_relaxed)) {}
  return (seen & Slot::count_mask) == 0;
}

void Poa::end_all(bool etherealize, std::vector<Slot*>& to_finish) {
  to_finish.reserve(to_finish.size() + live_);
  ended_ = true;
  ending_ = etherealize && servant_activator_ ? Slot::etherealize | Slot::cleanup : 0;
  for (std::uint32_t i = 0; i < grown_; ++i) {
    Slot& slot = *entry_->slots.at(i);
    if (slot.is_active() && slot.servant != nullptr && close(slot, ending_)) to_finish.push_back(&slot);
  }
}

bool Poa::forget(const Servant& servant) noexcept {
  const auto known = servants_.find(&servant);
  if (known == servants_.end()) return false;
  if (--known->second.count != 0) return true;
  servants_.erase(known);
  return false;
}

Slot* Poa::find_active(ByteView id) const noexcept {
  Slot* slot = find_slot(id);
  return slot != nullptr && slot->is_active() ? slot : nullptr;
}

Slot* Poa::find_closing(ByteView id) const noexcept {
  Slot* slot = keeps_closing_ids() ? find_slot(id) : nullptr;
  return slot != nullptr && !slot->is_active() ? slot : nullptr;
}

Slot* Poa::find_slot(ByteView id) const noexcept {
  if (entry_ == nullptr) return nullptr;
  std::uint32_t index = 0;
  std::uint32_t generation = 0;
  if (!policies_.persistent() && read_slot_id(id, index, generation)) {
    Slot* slot = index < grown_ ? entry_->slots.at(index) : nullptr;
    if (slot != nullptr && !slot->is_free() && slot->generation() == generation && slot->id == nullptr)
      return slot;
  }
  const std::uint64_t hash = hash_octets(id);
  if (policies_.demux == Demux::linear) return find_by_comparing(id);
  Slot* found = nullptr;
  entry_->ids.find(hash, [&](std::uint32_t at) {
    Slot* slot = entry_->slots.at(at);
    if (!slot->id->is(id, hash)) return false;
    found = slot;
    return true;
  });
  return found;
}

Slot* Poa::find_by_comparing(ByteView id) const noexcept {
  for (std::uint32_t i = 0; i < grown_; ++i) {
    Slot* slot = entry_->slots.at(i);
    if (slot->is_free() || slot->id == nullptr || slot->id == &no_id) continue;
    if (slot->id->is(id, slot->id->hash)) return slot;
  }
  return nullptr;
}

Slot* Poa::fallback() const noexcept {
  const std::uint32_t place = entry_ != nullptr ? entry_->fallback.load(std::memory_order_relaxed) : 0;
  return place != 0 ? entry_->slots.at(place - 1) : nullptr;
}

ObjectId Poa::id_of_slot(const Slot& slot) const {
  if (slot.id == nullptr) return make_slot_id(slot.index, slot.generation());
  const ByteView id = slot.id->bytes();
  return ObjectId(id.begin(), id.end());
}

/// Whether the system made that id for this POA; of a persistent POA also in an earlier process.
bool Poa::made_here(ByteView id) const noexcept {
  if (policies_.persistent()) {
    if (id.size() != 16) return false;
    const auto stamp = load<std::uint64_t>(id.data(), key::swap);
    return stamp != stamp_ || load<std::uint64_t>(id.data() + 8, key::swap) < next_serial_;
  }
  std::uint32_t index = 0;
  std::uint32_t generation = 0;
  if (!read_slot_id(id, index, generation)) return false;
  if ((index & key::loose_bit) != 0) {
    return (std::uint64_t{index & ~key::loose_bit} << 32 | generation) < next_serial_;
  }
  if (index >= grown_) return false;
  const Slot& slot = *entry_->slots.at(index);
  // The slot's generation is the next one to hand out while it is free.
  return generation < slot.generation() || (generation == slot.generation() && !slot.is_free());
}

const Frame* Poa::running(const Servant& servant) const noexcept {
  const Frame* frame = current_frame;
  return frame != nullptr && frame->poa == this && frame->servant == &servant ? frame : nullptr;
}

Outcome<Slot*> Poa::activate_new(Servant& servant) {
  if (!policies_.persistent() && policies_.demux == Demux::active) return occupy(&servant, Naming::slot, {});
  const std::uint64_t number = next_serial_++;
  const ObjectId id = policies_.persistent() ? make_persistent_id(stamp_, number) : make_loose_id(number);
  return occupy(&servant, Naming::text, id);
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

Outcome<void> Poa::activate_with_id(ByteView id, Servant& servant) {
  if (!policies_.retains()) return Exception::wrong_policy;
  RootAdapter::Patience patience;
  LockGuard lock(root_->mutex_);
  for (;;) {
    if (const Fault fault = gone()) return fault;
    if (policies_.system_ids() && !made_here(id)) return errors::bad_object_id;
    if (find_active(id) != nullptr) return Exception::object_already_active;
    if (policies_.unique() && is_active(servant)) return Exception::servant_already_active;
    const Slot* closing = find_closing(id);
    if (closing == nullptr) return occupy(&servant, Naming::text, id).fault();
    // An activation waits for the end of the one before it (§15.3.9, deactivate_object).
    if (const Error why = root_->await_end(*this, *closing, id, patience)) return why;
  }
}

Outcome<void> Poa::deactivate(ByteView id) {
  if (!policies_.retains()) return Exception::wrong_policy;
  Slot* slot = nullptr;
  {
    LockGuard lock(root_->mutex_);
    if (const Fault fault = gone()) return fault;
    slot = find_active(id);
    if (slot == nullptr) return Exception::object_not_active;
    if (!close(*slot, servant_activator_ ? Slot::etherealize : 0)) return {};
  }
  root_->finish(*slot);
  return {};
}

Outcome<ObjectId> Poa::servant_to_id(Servant& servant) {
  const bool by_servant = policies_.retains() && (policies_.unique() || policies_.implicit());
  if (!by_servant && !policies_.has_default_servant()) {
    // Inside an upcall on the servant, it is that object (§15.3.9, servant_to_id).
    if (const Frame* frame = running(servant)) return ObjectId(frame->id.begin(), frame->id.end());
    return Exception::wrong_policy;
  }
  LockGuard lock(root_->mutex_);
  if (const Fault fault = gone()) return fault;
  if (policies_.retains() && policies_.unique()) {
    const auto found = servants_.find(&servant);
    if (found != servants_.end() && found->second.active != nullptr) return id_of_slot(*found->second.active);
  }
  if (policies_.retains() && policies_.implicit()) {
    const Outcome<Slot*> slot = activate_new(servant);
    if (!slot) return slot.fault();
    return id_of_slot(**slot);
  }
  const Slot* standing_in = fallback();
  if (standing_in != nullptr && standing_in->servant == &servant) {
    if (const Frame* frame = running(servant)) return ObjectId(frame->id.begin(), frame->id.end());
  }
  return Exception::servant_not_active;
}

Outcome<Octets> Poa::key_of(Servant& servant) {
  // Inside an upcall on the servant, it is that object (CORBA 3.4 part 1 §15.3.9, servant_to_reference).
  if (const Frame* frame = running(servant)) return make_key(frame->id);
  const Outcome<ObjectId> id = servant_to_id(servant);
  if (!id) return id.fault();
  return make_key(*id);
}

Outcome<Ref<Servant>> Poa::id_to_servant(ByteView id) const {
  if (!policies_.retains() && !policies_.has_default_servant()) return Exception::wrong_policy;
  LockGuard lock(root_->mutex_);
  if (const Fault fault = gone()) return fault;
  const Slot* slot = policies_.retains() ? find_active(id) : nullptr;
  if (slot == nullptr && policies_.has_default_servant()) slot = fallback();
  if (slot == nullptr) return Exception::object_not_active;
  return Ref<Servant>(slot->servant);
}

Outcome<Octets> Poa::key_of_active(ByteView id) const {
  if (!policies_.retains()) return Exception::wrong_policy;
  {
    LockGuard lock(root_->mutex_);
    if (const Fault fault = gone()) return fault;
    if (find_active(id) == nullptr) return Exception::object_not_active;
  }
  return make_key(id);
}

Outcome<void> Poa::set_servant(Servant* servant) {
  if (!policies_.has_default_servant()) return Exception::wrong_policy;
  Slot* replaced = nullptr;
  {
    LockGuard lock(root_->mutex_);
    if (const Fault fault = gone()) return fault;
    Slot* before = fallback();
    std::uint32_t place = 0;
    if (servant != nullptr) {
      const Outcome<Slot*> slot = occupy(servant, Naming::none, {});
      if (!slot) return slot.fault();
      place = (*slot)->index + 1;
    }
    entry_->fallback.store(place, std::memory_order_release);
    if (before != nullptr && close(*before, 0)) replaced = before;
  }
  if (replaced != nullptr) root_->finish(*replaced);
  return {};
}

Outcome<void> Poa::set_manager(Ref<ServantActivator> manager) {
  return set_manager(std::move(manager), nullptr);
}
Outcome<void> Poa::set_manager(Ref<ServantLocator> manager) {
  return set_manager(nullptr, std::move(manager));
}

Outcome<void> Poa::set_manager(Ref<ServantActivator> activator, Ref<ServantLocator> locator) {
  if (!policies_.has_manager()) return Exception::wrong_policy;
  LockGuard lock(root_->mutex_);
  if (const Fault fault = gone()) return fault;
  if (policies_.retains() ? !activator : !locator) return errors::no_servant_manager;
  if (servant_activator_ || servant_locator_) return errors::servant_manager_set;
  const Outcome<Slot*> slot = occupy(nullptr, Naming::none, {});
  if (!slot) return slot.fault();
  servant_activator_ = std::move(activator);
  servant_locator_ = std::move(locator);
  entry_->fallback.store((*slot)->index + 1, std::memory_order_release);
  return {};
}

Outcome<Ref<ServantManager>> Poa::get_manager() const {
  if (!policies_.has_manager()) return Exception::wrong_policy;
  LockGuard lock(root_->mutex_);
  if (const Fault fault = gone()) return fault;
  if (servant_activator_) return Ref<ServantManager>(servant_activator_);
  return Ref<ServantManager>(servant_locator_);
}

Outcome<Ref<Servant>> Poa::get_servant() const {
  if (!policies_.has_default_servant()) return Exception::wrong_policy;
  LockGuard lock(root_->mutex_);
  if (const Fault fault = gone()) return fault;
  const Slot* slot = fallback();
  if (slot == nullptr) return Exception::no_servant;
  return Ref<Servant>(slot->servant);
}

}  // namespace tenon::poa
