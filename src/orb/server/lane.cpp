// SPDX-License-Identifier: Apache-2.0
#include "orb/server/lane.hpp"

#include <algorithm>
#include <utility>

namespace tenon::orb {

Lane::Ordered* Lane::find(ByteView key) noexcept {
  Ordered* found = nullptr;  // the oldest, behind which calls are queued
  for (Ordered* each = keys_.get(); each != nullptr; each = each->next.get()) {
    if (std::ranges::equal(each->key, key)) found = each;
  }
  return found;
}

void Lane::keep_order(const protocol::IncomingCall& call) {
  if (!orders_after(call)) return;
  const ByteView key = call.object_key;
  auto ordered = std::make_unique<Ordered>();
  ordered->key.assign(key.begin(), key.end());
  const LockGuard lock(mutex_);
  ordered->next = std::move(keys_);
  keys_ = std::move(ordered);
  running_.fetch_add(1, std::memory_order_release);
}

bool Lane::put(Ordered& ordered, protocol::IncomingCall& call) {
  auto taken = call.take();
  if (taken == nullptr) return false;
  ordered.queue.push_back(std::move(taken));
  return true;
}

Lane::Queued Lane::queue_behind(protocol::IncomingCall& call) {
  if (unordered()) return Queued::no;
  const LockGuard lock(mutex_);
  Ordered* const ordered = find(call.object_key);
  if (ordered == nullptr || !put(*ordered, call)) return Queued::no;
  if (ordered->size() < most_queued) return Queued::yes;
  unreadable_.store(true, std::memory_order_release);
  return Queued::full;
}

bool Lane::wait_and_queue_behind(protocol::IncomingCall& call) {
  if (unordered()) return false;
  const LockGuard lock(mutex_);
  Ordered* ordered = find(call.object_key);
  while (ordered != nullptr && ordered->size() >= most_queued) {
    shorter_.wait(mutex_);
    ordered = find(call.object_key);
  }
  return ordered != nullptr && put(*ordered, call);
}

bool Lane::any_full() const noexcept {
  const Ordered* each = keys_.get();
  while (each != nullptr && each->size() < most_queued) each = each->next.get();
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
  if (ordered->size() != 0) {
    auto call = std::move(ordered->queue[ordered->first++]);
    // What has been taken goes when it is half of the queue, so that a call is moved once at most, on average.
    if (ordered->first >= ordered->size()) {
      ordered->queue.erase(ordered->queue.begin(),
                           ordered->queue.begin() + static_cast<std::ptrdiff_t>(ordered->first));
      ordered->first = 0;
    }
    return call;
  }
  std::unique_ptr<Ordered>* at = &keys_;
  while (at->get() != ordered) at = &(*at)->next;
  *at = std::move(ordered->next);
  running_.fetch_sub(1, std::memory_order_release);
  return nullptr;
}

std::vector<std::unique_ptr<protocol::IncomingCall>> Lane::take_cancelled() {
  std::vector<std::unique_ptr<protocol::IncomingCall>> cancelled;
  const LockGuard lock(mutex_);
  for (Ordered* each = keys_.get(); each != nullptr; each = each->next.get()) {
    std::size_t kept = each->first;
    for (std::size_t i = each->first; i < each->queue.size(); ++i) {
      if (each->queue[i]->cancelled()) {
        cancelled.push_back(std::move(each->queue[i]));
      } else {
        std::swap(each->queue[kept++], each->queue[i]);
      }
    }
    while (each->queue.size() > kept) each->queue.pop_back();
  }
  return cancelled;
}

}  // namespace tenon::orb
