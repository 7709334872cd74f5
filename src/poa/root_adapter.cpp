// SPDX-License-Identifier: Apache-2.0
//
// From an object key to a servant. upcall() is the hot path of every server; the rest of the file is what it does when a key is
// not of the common kind, or a gate is shut.
#include "poa/root_adapter.hpp"

#include <algorithm>
#include <mutex>

#include "base/minor_codes.hpp"
#include "orb/serving.hpp"
#include "poa/refuse.hpp"

namespace tenon::poa {

/// One upcall: visible to Current, and counted in its slot until the end of the scope.
struct RootAdapter::Running {
  Running(RootAdapter& adapter, Slot& slot, ByteView id) noexcept
      : root(adapter), frame{slot.poa, &slot, slot.servant, id, current_frame} {
    current_frame = &frame;
  }
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;
  ~Running() {
    current_frame = frame.outer;
    root.unpin(*frame.slot);
  }

  RootAdapter& root;
  Frame frame;
};

void RootAdapter::upcall(protocol::IncomingCall& call) {
  const ByteView bytes = call.object_key;
  if (bytes.size() == key::transient_size + 8 && key::head(bytes) == key::transient_head) [[likely]] {
    const PoaEntry* entry = entries_.at(key::poa_index(bytes));
    if (entry != nullptr) [[likely]] {
      Slot* slot = entry->slots.at(load<std::uint32_t>(bytes.data() + key::transient_size, key::swap));
      if (slot != nullptr &&
          slot->pin(load<std::uint32_t>(bytes.data() + key::transient_size + 4, key::swap))) [[likely]] {
        const Poa& poa = *slot->poa;
        // The stamp is looked at under the pin: before, the entry could pass to another POA.
        if (poa.stamp_ == key::stamp(bytes) && slot->id == nullptr &&
            poa.gate_.load(std::memory_order_seq_cst) == 0) [[likely]] {
          const Running running(*this, *slot, bytes.subspan(key::transient_size));
          running.frame.servant->upcall(call);
          return;
        }
        unpin(*slot);
      }
    }
  }
  upcall_slowly(call);
}

void RootAdapter::upcall_slowly(protocol::IncomingCall& call) {
  ObjectKey key;
  if (!read_key(call.object_key, key)) {
    if (!read_key(real_key(call.object_key), key))
      return refuse(call, is_down() ? errors::poa_destroyed : errors::no_such_adapter);
  }
  Slot* slot = pin(key);
  if (slot != nullptr && (slot->poa->gate_.load(std::memory_order_seq_cst) & ~Poa::serial) != 0) {
    unpin(*slot);
    slot = nullptr;
  }
  if (slot == nullptr) {
    Error why;
    slot = wait_and_pin(key, why);
    if (slot == nullptr) return refuse(call, why);
  }
  const Running running(*this, *slot, key.id);
  if ((slot->poa->gate_.load(std::memory_order_relaxed) & Poa::serial) != 0) {
    const std::lock_guard<SerialLock> alone(slot->poa->serial_);
    running.frame.servant->upcall(call);
  } else {
    running.frame.servant->upcall(call);
  }
}

bool RootAdapter::belongs(const Slot& slot, const ObjectKey& key) const noexcept {
  if (key.persistent) return slot.poa->policies_.persistent() && slot.poa->path_ == key.path;
  return slot.poa->stamp_ == key.stamp && !slot.poa->policies_.persistent();
}

Slot* RootAdapter::pin(const ObjectKey& key) noexcept {
  if (!key.persistent) {
    PoaEntry* entry = entries_.at(key.poa_index);
    return entry != nullptr ? pin_in(*entry, key) : nullptr;
  }
  Slot* found = nullptr;
  paths_.find(hash_text(key.path), [&](std::uint32_t index) {
    found = pin_in(*entries_.at(index), key);
    return found != nullptr;
  });
  return found;
}

Slot* RootAdapter::pin_in(PoaEntry& entry, const ObjectKey& key) noexcept {
  std::uint32_t index = 0;
  std::uint32_t generation = 0;
  if (!key.persistent && read_slot_id(key.id, index, generation)) {
    Slot* slot = entry.slots.at(index);
    if (slot != nullptr && slot->pin(generation)) {
      if (slot->id == nullptr && belongs(*slot, key)) return slot;
      unpin(*slot);
    }
  }
  Slot* found = nullptr;
  const std::uint64_t hash = hash_octets(key.id);
  entry.ids.find(hash, [&](std::uint32_t at) {
    Slot* slot = entry.slots.at(at);
    if (slot == nullptr || !slot->pin_any()) return false;
    if (slot->id != nullptr && slot->id->is(key.id, hash) && belongs(*slot, key)) {
      found = slot;
      return true;
    }
    unpin(*slot);
    return false;
  });
  if (found != nullptr) return found;
  if (const std::uint32_t fallback = entry.fallback.load(std::memory_order_acquire)) {
    Slot* slot = entry.slots.at(fallback - 1);
    if (slot != nullptr && slot->pin_any()) {
      if (slot->id == &no_id && belongs(*slot, key)) return slot;
      unpin(*slot);
    }
  }
  return nullptr;
}

void RootAdapter::unpin(Slot& slot) noexcept {
  bool last_of_closing = false;
  if (slot.unpin(last_of_closing)) [[unlikely]]
    settle(slot, last_of_closing);
}

void RootAdapter::settle(Slot& slot, bool last_of_closing) noexcept {
  if (last_of_closing) return finish(slot);
  LockGuard lock(mutex_);
  changed_.notify_all();
}

Slot* RootAdapter::wait_and_pin(const ObjectKey& key, Error& why) {
  orb::WaitingInUpcall waiting;
  bool handed_over = false;
  LockGuard lock(mutex_);
  for (;;) {
    if (down_) {
      why = errors::poa_destroyed;
      return nullptr;
    }
    const Poa* poa = find_poa(key);
    if (poa == nullptr) {
      why = errors::no_such_adapter;
      return nullptr;
    }
    switch (poa->manager_->state_) {
      case ManagerState::active: {
        // Nobody closes a slot or shuts the gate while the mutex is held.
        Slot* slot = poa->find_active(key.id);
        if (slot == nullptr) slot = poa->fallback();
        if (slot != nullptr) {
          slot->pin_any();
        } else {
          why = poa->policies_.has_default_servant() ? errors::no_default_servant : errors::object_not_active;
        }
        return slot;
      }
      case ManagerState::discarding: why = errors::request_discarded; return nullptr;
      case ManagerState::inactive: why = errors::manager_inactive; return nullptr;
      case ManagerState::holding: break;
    }
    if (held_ >= held_most_) {
      why = errors::request_discarded;
      return nullptr;
    }
    if (!handed_over) {
      // Others that this thread serves need not wait too.
      handed_over = true;
      lock.unlock();
      why = waiting.begin().error();
      lock.lock();
      if (why) return nullptr;
      continue;
    }
    ++held_;
    changed_.wait(mutex_);
    --held_;
  }
}

protocol::LocateStatus RootAdapter::locate(ByteView object_key, ior::Ior&) {
  ObjectKey key;
  if (!read_key(object_key, key) && !read_key(real_key(object_key), key)) {
    return protocol::LocateStatus::unknown_object;
  }
  LockGuard lock(mutex_);
  const Poa* poa = find_poa(key);
  const bool here = poa != nullptr && (poa->find_active(key.id) != nullptr || poa->fallback() != nullptr);
  return here ? protocol::LocateStatus::object_here : protocol::LocateStatus::unknown_object;
}

bool RootAdapter::owns(ByteView object_key) const noexcept {
  ObjectKey key;
  if (read_key(object_key, key)) {
    if (!key.persistent) return key.stamp >> key::serial_bits == incarnation_;
    LockGuard lock(mutex_);
    return find_poa(key) != nullptr;
  }
  return !real_key(object_key).empty();
}

ByteView RootAdapter::real_key(ByteView plain) const noexcept {
  const Alias* alias = find_alias(plain);
  const Octets* target = alias != nullptr ? alias->target.load(std::memory_order_acquire) : nullptr;
  return target != nullptr ? ByteView(*target) : ByteView();
}

bool RootAdapter::is_down() const noexcept {
  LockGuard lock(mutex_);
  return down_;
}

}  // namespace tenon::poa
