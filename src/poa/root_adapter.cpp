// SPDX-License-Identifier: Apache-2.0
//
// From an object key to a servant. upcall() is the hot path of every server; the rest of the file is what an ORB that has its root POA
// alone does when a key is not of the common kind, or the gate is shut.
#include "poa/root_adapter.hpp"

#include <cstring>
#include <new>

#include "base/minor_codes.hpp"
#include "orb/orb.hpp"
#include "poa/refuse.hpp"
#include "poa/running.hpp"

namespace tenon::poa {

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
  find_and_upcall(call);
}

void RootAdapter::find_and_upcall(protocol::IncomingCall& call) {
  ObjectKey key;
  Error why;
  static_cast<void>(read(call.object_key, key));  // what is no key of ours has the stamp of no POA
  Slot* const slot = pin(key, why);
  if (slot == nullptr) return refuse(call, why);
  const Running running(*this, *slot, key.id);
  running.frame.servant->upcall(call);
}

Slot* RootAdapter::pin(const ObjectKey& key, Error& why) {
  LockGuard lock(mutex_);
  why = errors::poa_destroyed;
  if (down_) return nullptr;
  Poa* poa = find_poa(key);
  why = errors::no_such_adapter;
  if (poa == nullptr) return nullptr;
  switch (poa->manager_->state_) {
    case ManagerState::active: break;
    case ManagerState::holding:
    case ManagerState::discarding: why = errors::request_discarded; return nullptr;
    case ManagerState::inactive: why = errors::manager_inactive; return nullptr;
  }
  // No thread closes a slot or shuts the gate while the mutex is held.
  Slot* slot = poa->find_active(key.id);
  why = errors::object_not_active;
  if (slot != nullptr) slot->pin_any();
  return slot;
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

Result<protocol::LocateStatus> RootAdapter::locate(ByteView object_key, ior::Ior&, Deadline) {
  ObjectKey key;
  LockGuard lock(mutex_);
  const Poa* poa = read(object_key, key) ? find_poa(key) : nullptr;
  return poa != nullptr && poa->find_active(key.id) != nullptr ? protocol::LocateStatus::object_here
                                                               : protocol::LocateStatus::unknown_object;
}

bool RootAdapter::owns(ByteView object_key) const noexcept {
  ObjectKey key;
  if (!read_key(object_key, key)) return read(object_key, key);
  if (!key.persistent) return key.stamp >> key::serial_bits == incarnation_;
  LockGuard lock(mutex_);
  return find_poa(key) != nullptr;
}

Poa* RootAdapter::find_poa(const ObjectKey& key) const noexcept {
  const PoaEntry* entry = !key.persistent ? entries_.at(key.poa_index) : nullptr;
  Poa* poa = entry != nullptr ? entry->poa : nullptr;
  return poa != nullptr && !poa->destroyed_ && !poa->policies_.persistent() && poa->stamp_ == key.stamp
             ? poa
             : nullptr;
}

bool RootAdapter::is_down() const noexcept {
  LockGuard lock(mutex_);
  return down_;
}

// --- plain keys ---

namespace {

bool same(ByteView one, ByteView other) noexcept {
  return one.size() == other.size() &&
         (one.empty() || std::memcmp(one.data(), other.data(), one.size()) == 0);
}

}  // namespace

bool RootAdapter::read_alias(ByteView object_key, ObjectKey& into) const noexcept {
  const Alias* alias = find_alias(object_key);
  const Alias* target = alias != nullptr ? alias->target.load(std::memory_order_acquire) : nullptr;
  return target != nullptr && read_key(target->key->bytes(), into);
}

Status RootAdapter::publish(ByteView plain_key, ByteView target) {
  ObjectKey own;
  if (plain_key.size() > longest_plain_key || read_key(plain_key, own)) return errors::unusable_name;
  LockGuard lock(mutex_);
  Alias* now = nullptr;
  if (!target.empty()) {
    now = find_among(targets_, target);
    if (now == nullptr) {
      now = make_alias(target, nullptr, targets_);
      if (now == nullptr) return memory::shortage();
      targets_ = now;
    }
  }
  if (Alias* alias = find_alias(plain_key)) {
    alias->target.store(now, std::memory_order_release);
  } else if (now != nullptr) {
    std::atomic<Alias*>& head = alias_heads_[alias_chain(plain_key)];
    alias = make_alias(plain_key, now, head.load(std::memory_order_relaxed));
    if (alias == nullptr) return memory::shortage();
    head.store(alias, std::memory_order_release);
  }
  return {};
}

RootAdapter::Alias* RootAdapter::make_alias(ByteView key, const Alias* target, Alias* next) noexcept {
  OwnText copy(IdText::make(key));
  return copy != nullptr ? new (std::nothrow) Alias{std::move(copy), target, next} : nullptr;
}

RootAdapter::Alias* RootAdapter::find_among(Alias* first, ByteView key) noexcept {
  while (first != nullptr && !same(first->key->bytes(), key)) first = first->next;
  return first;
}

void RootAdapter::drop_all(Alias* first) noexcept {
  while (first != nullptr) delete std::exchange(first, first->next);
}

std::size_t RootAdapter::alias_chain(ByteView plain) noexcept {
  std::uint32_t hash = 2166136261;  // FNV-1a; nothing depends on its quality
  for (const std::uint8_t octet : plain) hash = (hash ^ octet) * 16777619;
  return hash % alias_chains;
}

RootAdapter::Alias* RootAdapter::find_alias(ByteView plain) const noexcept {
  if (plain.size() > longest_plain_key) return nullptr;
  return find_among(alias_heads_[alias_chain(plain)].load(std::memory_order_acquire), plain);
}

}  // namespace tenon::poa
