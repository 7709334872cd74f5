// SPDX-License-Identifier: Apache-2.0
#include "orb/server/lane.hpp"

#include <utility>

namespace tenon::orb {

Lane::Ordered::~Ordered() {
  while (first != nullptr) take(&first);
}

std::unique_ptr<protocol::IncomingCall> Lane::Ordered::take(protocol::IncomingCall** at) noexcept {
  std::unique_ptr<protocol::IncomingCall> call(*at);
  *at = call->next_queued;
  if (*at == nullptr) end = at;
  --size;
  return call;
}

Lane::Ordered* Lane::find(ByteView key) noexcept {
  Ordered* found = nullptr;  // the oldest, behind which calls are queued
  for (Ordered* each = keys_.get(); each != nullptr; each = each->next.get()) {
    if (std::ranges::equal(each->key(), key)) found = each;
  }
  return found;
}

bool Lane::keep_order(const protocol::IncomingCall& call) {
  if (!orders_after(call)) return true;
  const ByteView key = call.object_key;
  void* const octets = memory::allocate(memory::Kind::requests, sizeof(Ordered) + key.size());
  if (octets == nullptr) return false;
  std::unique_ptr<Ordered> ordered(new (octets) Ordered(key.size()));
  std::ranges::copy(key, reinterpret_cast<std::uint8_t*>(ordered.get() + 1));
  const LockGuard lock(mutex_);
  ordered->next = std::move(keys_);
  keys_ = std::move(ordered);
  running_.fetch_add(1, std::memory_order_release);
  return true;
}

bool Lane::put(Ordered& ordered, protocol::IncomingCall& call) {
  protocol::IncomingCall* const taken = call.take().release();
  if (taken == nullptr) return false;
  taken->next_queued = nullptr;
  *ordered.end = taken;
  ordered.end = &taken->next_queued;
  ++ordered.size;
  return true;
}

Lane::Queued Lane::queue_behind(protocol::IncomingCall& call) {
  if (unordered()) return Queued::no;
  const LockGuard lock(mutex_);
  Ordered* const ordered = find(call.object_key);
  if (ordered == nullptr) return Queued::no;
  if (!put(*ordered, call)) return Queued::no_memory;
  if (ordered->size < most_queued) return Queued::yes;
  unreadable_.store(true, std::memory_order_release);
  return Queued::full;
}

Lane::Queued Lane::wait_and_queue_behind(protocol::IncomingCall& call) {
  if (unordered()) return Queued::no;
  const LockGuard lock(mutex_);
  Ordered* ordered = find(call.object_key);
  while (ordered != nullptr && ordered->size >= most_queued) {
    shorter_.wait(mutex_);
    ordered = find(call.object_key);
  }
  if (ordered == nullptr) return Queued::no;
  return put(*ordered, call) ? Queued::yes : Queued::no_memory;
}

bool Lane::any_full() const noexcept {
  const Ordered* each = keys_.get();
  while (each != nullptr && each->size < most_queued) each = each->next.get();
  return each != nullptr;
}

bool Lane::full() {
  if (unordered()) return false;
  const LockGuard lock(mutex_);
  return any_full();
}

bool Lane::readable_again() {
  if (!unreadable_.load(std::memory_order_acquire)) return false;
  const LockGuard lock(mutex_);
  return !any_full() && unreadable_.exchange(false);
}

std::unique_ptr<protocol::IncomingCall> Lane::next(ByteView key) {
  const LockGuard lock(mutex_);
  Ordered* ordered = find(key);
  if (ordered == nullptr) return nullptr;
  shorter_.notify_all();
  if (ordered->first != nullptr) return ordered->take(&ordered->first);
  std::unique_ptr<Ordered>* at = &keys_;
  while (at->get() != ordered) at = &(*at)->next;
  *at = std::move(ordered->next);
  running_.fetch_sub(1, std::memory_order_release);
  return nullptr;
}

std::unique_ptr<protocol::IncomingCall> Lane::take_cancelled() {
  const LockGuard lock(mutex_);
  for (Ordered* each = keys_.get(); each != nullptr; each = each->next.get()) {
    for (protocol::IncomingCall** at = &each->first; *at != nullptr; at = &(*at)->next_queued) {
      if ((*at)->cancelled()) return each->take(at);
    }
  }
  return nullptr;
}

}  // namespace tenon::orb
