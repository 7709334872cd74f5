// SPDX-License-Identifier: Apache-2.0
//
// From an object key to a servant off the main path, in an ORB that has more than its root POA.
#include "poa/whole_adapter.hpp"

#include "base/minor_codes.hpp"
#include "orb/orb.hpp"
#include "orb/protection_built.hpp"
#include "poa/refuse.hpp"
#include "poa/secured.hpp"
#include "poa/whole_running.hpp"

namespace tenon::poa {

constinit std::atomic<const WholeAdapter::Threads*> WholeAdapter::threads{nullptr};

void WholeAdapter::find_and_upcall(protocol::IncomingCall& call) {
  ObjectKey key;
  if (!read(call.object_key, key))
    return refuse(call, is_down() ? errors::poa_destroyed : errors::no_such_adapter);
  for (;;) {
    Slot* slot = pin_open(key);
    if (slot == nullptr) {
      Error why;
      slot = wait_and_pin(call, key, why);
      if (slot == nullptr) return refuse(call, why);
    }
    const Thread policy = slot->poa->policies_.thread;
    if (policy == Thread::orb_control && slot->servant != nullptr) [[likely]] {
      const Running running(*this, *slot, key.id);
      running.frame.servant->upcall(call);
      return;
    }
    if (policy != Thread::main_thread || main_work().is_main()) return serve(call, *slot, key);
    unpin(*slot);
    if ((this->*threads.load(std::memory_order_acquire)->upcall_on_main)(call, key)) return;
  }
}

void WholeAdapter::serve(protocol::IncomingCall& call, Slot& pinned, const ObjectKey& key) {
  Slot* slot = &pinned;
  if (slot->servant == nullptr && slot->poa->whole()->servant_activator_) {
    Supplied refusal;
    WholePoa& poa = *pinned.poa->whole();
    slot = (this->*poa.managed_->incarnate)(call, poa, key.id, refusal);
    unpin(pinned);
    if (slot == nullptr)
      return refusal.forward ? forward(call, *refusal.forward) : refuse(call, refusal.error);
  }
  Running running(*this, *slot, key.id);
  if (slot->poa->policies_.thread == Thread::single_thread)
    return (this->*threads.load(std::memory_order_acquire)->upcall_in_turn)(call, running);
  upcall_in(call, running);
}

void WholeAdapter::upcall_in(protocol::IncomingCall& call, Running& running) {
  const Slot& slot = *running.frame.slot;
  if (slot.servant == nullptr) return (this->*slot.poa->whole()->managed_->upcall_by_locator)(call, running);
  slot.servant->upcall(call);
}

[[gnu::always_inline]] inline bool WholeAdapter::belongs(const Slot& slot,
                                                         const ObjectKey& key) const noexcept {
  if (key.persistent) return slot.poa->policies_.persistent() && slot.poa->whole()->path_text() == key.path;
  return slot.poa->stamp_ == key.stamp && !slot.poa->policies_.persistent();
}

Slot* WholeAdapter::pin(const ObjectKey& key) noexcept {
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

Slot* WholeAdapter::pin_open(const ObjectKey& key, std::uint32_t ignored_gates) noexcept {
  Slot* slot = pin(key);
  if (slot == nullptr) return nullptr;
  const std::uint32_t gate = slot->poa->gate_.load(std::memory_order_seq_cst);
  if ((gate & ~(Poa::serial | Poa::on_main | ignored_gates)) == 0) return slot;
  unpin(*slot);
  return nullptr;
}

Slot* WholeAdapter::pin_in(PoaEntry& entry, const ObjectKey& key) noexcept {
  if (entry.linear.load(std::memory_order_relaxed)) [[unlikely]] {
    LockGuard lock(mutex_);
    WholePoa* poa = find_poa(key);
    Slot* slot = poa != nullptr ? poa->find_active(key.id) : nullptr;
    if (slot != nullptr) slot->pin_any();
    if (slot != nullptr) return slot;
  }
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

Error WholeAdapter::Patience::begin() {
  if (waiting_) return {};
  waiting_.emplace();
  if (const Error why = waiting_->begin().error()) {
    waiting_.reset();
    // That error is about a call of the program's, and tells it what to do about it.
    return why == errors::only_thread_would_wait ? errors::only_thread_would_hold : why;
  }
  if (call_ != nullptr) until_ = call_->begin_wait();
  return {};
}

Error WholeAdapter::Patience::wait(WholeAdapter& root) {
  if (waiting_) {
    return root.changed_.wait_until(root.mutex_, until_) ? Error() : errors::not_begun_in_time;
  }
  root.mutex_.unlock();
  const Error why = begin();
  root.mutex_.lock();
  return why;
}

Error WholeAdapter::Patience::end() {
  if (!waiting_) return {};
  waiting_.reset();
  return call_ == nullptr || call_->end_wait() ? Error() : errors::not_begun_in_time;
}

WholeAdapter::Pass WholeAdapter::pass(const Manager& manager, Patience& patience, Error& why) {
  switch (manager.state_) {
    case ManagerState::active: return Pass::open;
    case ManagerState::discarding: why = errors::request_discarded; return Pass::refused;
    case ManagerState::inactive: why = errors::manager_inactive; return Pass::refused;
    case ManagerState::holding: break;
  }
  if (held_ >= held_most_) {
    why = errors::request_discarded;
    return Pass::refused;
  }
  ++held_;
  why = patience.wait(*this);
  --held_;
  return why ? Pass::refused : Pass::again;
}

Slot* WholeAdapter::wait_and_pin(protocol::IncomingCall& call, const ObjectKey& key, Error& why) {
  if constexpr (orb::with_protection_policies) {
    if (Slot* const open = pin_open(key, Poa::secured | Poa::guarded)) return admitted(call, *open, why);
  }
  Patience patience(call);
  Slot* slot = nullptr;
  {
    LockGuard lock(mutex_);
    slot = pin_when_open(key, patience, why);
  }
  if (slot == nullptr) return nullptr;
  why = patience.end();
  if (!why) {
    if constexpr (orb::with_protection_policies) return admitted(call, *slot, why);
    return slot;
  }
  unpin(*slot);
  return nullptr;
}

Slot* WholeAdapter::admitted(const protocol::IncomingCall& call, Slot& pinned, Error& why) noexcept {
  if ((pinned.poa->gate_.load(std::memory_order_relaxed) & Poa::secured) == 0) return &pinned;
  const AdmitsCall admits = admits_call.load(std::memory_order_acquire);
  why = admits != nullptr ? admits(*pinned.poa->whole(), call) : errors::came_unprotected;
  if (!why) return &pinned;
  unpin(pinned);
  return nullptr;
}

Slot* WholeAdapter::pin_when_open(const ObjectKey& key, Patience& patience, Error& why) {
  for (;;) {
    if (down_) {
      why = errors::poa_destroyed;
      return nullptr;
    }
    WholePoa* poa = find_poa(key);
    if (poa == nullptr) {
      why = errors::no_such_adapter;
      if (key.persistent && activated(key.path, patience, why)) continue;
      return nullptr;
    }
    if (held_back(*poa)) {
      why = patience.wait(*this);
      if (why) return nullptr;
      continue;
    }
    switch (pass(*poa->manager_, patience, why)) {
      case Pass::open: break;
      case Pass::again: continue;
      case Pass::refused: return nullptr;
    }
    // No thread closes a slot or shuts the gate while the mutex is held.
    Slot* slot = poa->find_active(key.id);
    if (slot == nullptr) slot = poa->fallback();
    if (slot != nullptr) {
      slot->pin_any();
    } else if (poa->policies_.processing == Processing::active_object_map_only) {
      why = errors::object_not_active;
    } else {
      why = poa->policies_.has_manager() ? errors::no_servant_manager : errors::no_default_servant;
    }
    return slot;
  }
}

Result<protocol::LocateStatus> WholeAdapter::locate(ByteView object_key, ior::Ior&, Deadline deadline) {
  ObjectKey key;
  if (!read(object_key, key)) return protocol::LocateStatus::unknown_object;
  Patience patience(deadline);
  LockGuard lock(mutex_);
  Error why;
  WholePoa* poa = find_poa(key);
  while (poa == nullptr && !down_ && key.persistent && activated(key.path, patience, why)) {
    poa = find_poa(key);
  }
  if (why.id == SystemException::timeout) return why;
  const bool here = poa != nullptr && (poa->find_active(key.id) != nullptr || poa->fallback() != nullptr);
  return here ? protocol::LocateStatus::object_here : protocol::LocateStatus::unknown_object;
}

bool WholeAdapter::is_down() const noexcept {
  LockGuard lock(mutex_);
  return down_;
}

}  // namespace tenon::poa
