// SPDX-License-Identifier: Apache-2.0
//
// Objects whose ids name no slot: ids of the program's own, those of references that were made before their servant, and those of objects
// that were active before (CORBA 3.4 part 1 §15.3.9, activate_object_with_id, create_reference). Such an id is kept beside the slot and
// found by its hash. An ORB that has its root POA alone can do this too; a program that does not, links none of it.
#include <new>

#include "base/memory.hpp"
#include "base/minor_codes.hpp"
#include "poa/octets.hpp"
#include "poa/whole_running.hpp"

namespace tenon::poa {

// --- with the adapter's mutex held ---

Slot* Poa::find_named(const Poa& poa, ByteView id) noexcept {
  const std::uint64_t hash = hash_octets(id);
  Slot* found = nullptr;
  poa.entry_->ids.find(hash, [&](std::uint32_t at) {
    Slot* slot = poa.entry_->slots.at(at);
    if (!slot->id->is(id, hash) || !(poa.whole_ || slot->is_active())) return false;
    found = slot;
    return true;
  });
  return found;
}

void Poa::forget_named(Poa& poa, Slot& slot) noexcept {
  poa.entry_->ids.erase(slot.id->hash, slot.index);
  IdText::drop(slot.id);
}

Outcome<Slot*> Poa::occupy_named(Servant* servant, ByteView id) {
  const Outcome<Slot*> room = room_for(servant);
  if (!room) return room;
  RootAdapter::Named*& named = root_->named_;
  if (named == nullptr) {
    void* const memory = memory::allocate(memory::Kind::objects, sizeof(RootAdapter::Named));
    if (memory == nullptr) return memory::shortage();
    named = new (memory) RootAdapter::Named{&find_named,
                                            &forget_named,
                                            [](RootAdapter::Named& own) noexcept {
                                              own.~Named();
                                              memory::release(&own);
                                            },
                                            {}};
  }
  if (!entry_->ids.reserve_one(named->pool)) return memory::shortage();
  IdText* const text = IdText::make(id);
  if (text == nullptr) return memory::shortage();
  Slot* const slot = *room;
  place(*slot, servant, text);
  entry_->ids.insert(text->hash, slot->index);
  return slot;
}

bool Poa::made_here(ByteView id) const noexcept {
  if (policies_.persistent()) {
    if (id.size() != 16) return false;
    const auto stamp = load<std::uint64_t>(id.data(), key::swap);
    return stamp != stamp_ || load<std::uint64_t>(id.data() + 8, key::swap) <= serials_;
  }
  std::uint32_t index = 0;
  std::uint32_t generation = 0;
  if (!read_slot_id(id, index, generation)) return false;
  if ((index & key::loose_bit) != 0)
    return (std::uint64_t{index & ~key::loose_bit} << 32 | generation) <= serials_;
  if (index >= grown_) return false;
  const Slot& slot = *entry_->slots.at(index);
  // The slot's generation is the next one to hand out while it is free.
  return generation < slot.generation() || (generation == slot.generation() && !slot.is_free());
}

// --- operations ---

Outcome<void> Poa::activate_with_id(ByteView id, Servant& servant) {
  if (!policies_.retains()) return Exception::wrong_policy;
  LockGuard lock(root_->mutex_);
  for (;;) {
    if (const Fault fault = gone()) return fault;
    if (policies_.system_ids() && !made_here(id)) return errors::bad_object_id;
    const Slot* const same = find_slot(id);
    if (same != nullptr && same->is_active()) return Exception::object_already_active;
    if (policies_.unique() && is_active(servant)) return Exception::servant_already_active;
    WholePoa* const managed = same != nullptr ? whole() : nullptr;
    if (managed == nullptr || !managed->keeps_closing_ids()) return occupy_named(&servant, id).fault();
    // That slot's object is being deactivated, and a servant activator is to be told of it. An activation waits for the end of the one
    // before it (§15.3.9, deactivate_object).
    if (const Error why = (managed->root().*managed->managed_->await_end_of)(*managed, id)) return why;
  }
}

Outcome<Octets> Poa::new_key() {
  if (!policies_.system_ids()) return Exception::wrong_policy;
  ObjectId id;
  {
    LockGuard lock(root_->mutex_);
    if (const Fault fault = gone()) return fault;
    const std::uint64_t number = ++serials_;
    id = policies_.persistent() ? make_persistent_id(stamp_, number) : make_loose_id(number);
  }
  return make_key(id);
}

}  // namespace tenon::poa
