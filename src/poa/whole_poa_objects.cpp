// SPDX-License-Identifier: Apache-2.0
//
// The active object map of a POA with all that it can have: ids of its own, a default servant or a servant manager, and servants whose end an
// activator is told of.
#include <utility>

#include "base/memory.hpp"
#include "base/minor_codes.hpp"
#include "poa/octets.hpp"
#include "poa/whole_adapter.hpp"
#include "poa/whole_running.hpp"

namespace tenon::poa {

// --- slots; with the adapter's mutex held ---

void WholePoa::free_slot(Slot& slot) noexcept {
  if (slot.servant != nullptr) by_servant_.remove(slot, entry_->slots);
  if (keeps_closing_ids() && slot.id != nullptr && slot.id != &no_id) {
    entry_->ids.erase(slot.id->hash, slot.index);
  }
  IdText::drop(std::exchange(slot.id, nullptr));
  Poa::free_slot(slot);
}

Outcome<Slot*> WholePoa::occupy(Servant* servant, Naming naming) {
  const Outcome<Slot*> slot = room_for(servant);
  if (slot) place(**slot, servant, naming == Naming::none ? &no_id : nullptr);
  return slot;
}

bool WholePoa::close(Slot& slot, std::uint64_t ending) noexcept {
  const bool has_text = slot.id != nullptr && slot.id != &no_id;
  if (has_text && !keeps_closing_ids()) entry_->ids.erase(slot.id->hash, slot.index);
  return Poa::close(slot, ending);
}

Slot* WholePoa::find_closing(ByteView id) const noexcept {
  Slot* slot = keeps_closing_ids() ? find_slot(id) : nullptr;
  return slot != nullptr && !slot->is_active() ? slot : nullptr;
}

Slot* WholePoa::find_slot(ByteView id) const noexcept {
  if (entry_ == nullptr) return nullptr;
  if (policies_.demux == Demux::linear) return find_by_comparing(id);
  if (Slot* slot = policies_.persistent() ? find_named(*this, id) : Poa::find_slot(id)) return slot;
  return keeps_closing_ids() ? closing_slot_of(id) : nullptr;
}

Slot* WholePoa::closing_slot_of(ByteView id) const noexcept {
  std::uint32_t index = 0;
  std::uint32_t generation = 0;
  if (policies_.persistent() || !read_slot_id(id, index, generation) || index >= grown_) return nullptr;
  Slot* slot = entry_->slots.at(index);
  return !slot->is_free() && slot->generation() == generation && slot->id == nullptr ? slot : nullptr;
}

Slot* WholePoa::find_by_comparing(ByteView id) const noexcept {
  for (std::uint32_t i = 0; i < grown_; ++i) {
    Slot* slot = entry_->slots.at(i);
    if (slot->is_free() || slot->id == nullptr || slot->id == &no_id) continue;
    if (slot->id->is(id, slot->id->hash)) return slot;
  }
  return nullptr;
}

Slot* WholePoa::fallback() const noexcept {
  const std::uint32_t place = entry_ != nullptr ? entry_->fallback.load(std::memory_order_relaxed) : 0;
  return place != 0 ? entry_->slots.at(place - 1) : nullptr;
}

Outcome<Slot*> WholePoa::activate_new(Servant& servant) {
  if (!policies_.persistent() && policies_.demux == Demux::active) return occupy(&servant, Naming::slot);
  const std::uint64_t number = ++serials_;
  const ObjectId id = policies_.persistent() ? make_persistent_id(stamp_, number) : make_loose_id(number);
  return occupy_named(&servant, id);
}

// --- operations ---

Outcome<ObjectId> WholePoa::servant_to_id(Servant& servant) {
  const bool by_servant = policies_.retains() && (policies_.unique() || policies_.implicit());
  if (!by_servant && !policies_.has_default_servant()) {
    // Inside an upcall on the servant, it is that object (§15.3.9, servant_to_id).
    if (const Frame* frame = running(servant)) return copied(frame->id);
    return Exception::wrong_policy;
  }
  LockGuard lock(root_->mutex_);
  if (const Fault fault = gone()) return fault;
  if (policies_.retains() && policies_.unique()) {
    if (const Slot* active = by_servant_.find_active(servant, entry_->slots)) return id_of_slot(*active);
  }
  if (policies_.retains() && policies_.implicit()) {
    const Outcome<Slot*> slot = activate_new(servant);
    if (!slot) return slot.fault();
    return id_of_slot(**slot);
  }
  const Slot* standing_in = fallback();
  if (standing_in != nullptr && standing_in->servant == &servant) {
    if (const Frame* frame = running(servant)) return copied(frame->id);
  }
  return Exception::servant_not_active;
}

Outcome<Ref<Servant>> WholePoa::id_to_servant(ByteView id) const {
  if (!policies_.retains() && !policies_.has_default_servant()) return Exception::wrong_policy;
  LockGuard lock(root_->mutex_);
  if (const Fault fault = gone()) return fault;
  const Slot* slot = policies_.retains() ? find_active(id) : nullptr;
  if (slot == nullptr && policies_.has_default_servant()) slot = fallback();
  if (slot == nullptr) return Exception::object_not_active;
  return Ref<Servant>(slot->servant);
}

Outcome<void> WholePoa::set_servant(Servant* servant) {
  if (!policies_.has_default_servant()) return Exception::wrong_policy;
  Slot* replaced = nullptr;
  {
    LockGuard lock(root_->mutex_);
    if (const Fault fault = gone()) return fault;
    Slot* before = fallback();
    std::uint32_t place = 0;
    if (servant != nullptr) {
      const Outcome<Slot*> slot = occupy(servant, Naming::none);
      if (!slot) return slot.fault();
      place = (*slot)->index + 1;
    }
    entry_->fallback.store(place, std::memory_order_release);
    if (before != nullptr && close(*before, 0)) replaced = before;
  }
  if (replaced != nullptr) root_->finish(*replaced);
  return {};
}

Outcome<void> WholePoa::set_manager(Ref<ServantActivator> manager) {
  return set_manager(std::move(manager), nullptr, by_activator);
}

Outcome<void> WholePoa::set_manager(Ref<ServantLocator> manager) {
  return set_manager(nullptr, std::move(manager), by_locator);
}

Outcome<void> WholePoa::set_manager(Ref<ServantActivator> activator, Ref<ServantLocator> locator,
                                    const Managed& managed) {
  if (!policies_.has_manager()) return Exception::wrong_policy;
  LockGuard lock(root_->mutex_);
  if (const Fault fault = gone()) return fault;
  if (policies_.retains() ? !activator : !locator) return errors::no_servant_manager;
  if (servant_activator_ || servant_locator_) return errors::servant_manager_set;
  const Outcome<Slot*> slot = occupy(nullptr, Naming::none);
  if (!slot) return slot.fault();
  managed_ = &managed;
  servant_activator_ = std::move(activator);
  ending_of_one_ = servant_activator_ ? Slot::etherealize : 0;
  servant_locator_ = std::move(locator);
  entry_->fallback.store((*slot)->index + 1, std::memory_order_release);
  return {};
}

Outcome<Ref<ServantManager>> WholePoa::get_manager() const {
  if (!policies_.has_manager()) return Exception::wrong_policy;
  LockGuard lock(root_->mutex_);
  if (const Fault fault = gone()) return fault;
  if (servant_activator_) return Ref<ServantManager>(servant_activator_);
  return Ref<ServantManager>(servant_locator_);
}

Outcome<Ref<Servant>> WholePoa::get_servant() const {
  if (!policies_.has_default_servant()) return Exception::wrong_policy;
  LockGuard lock(root_->mutex_);
  if (const Fault fault = gone()) return fault;
  const Slot* slot = fallback();
  if (slot == nullptr) return Exception::no_servant;
  return Ref<Servant>(slot->servant);
}

}  // namespace tenon::poa
