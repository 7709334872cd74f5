// SPDX-License-Identifier: Apache-2.0
#include "orb/server/lane.hpp"

#include <algorithm>

namespace tenon::orb {

Lane::Ordered* Lane::find(ByteView key) noexcept {
  for (const auto& ordered : keys_) {
    if (std::ranges::equal(ordered->key, key)) return ordered.get();
  }
  return nullptr;
}

void Lane::keep_order(const protocol::IncomingCall& call) {
  if (!orders_after(call)) return;
  const ByteView key = call.object_key;
  auto ordered = std::make_unique<Ordered>();
  ordered->key.assign(key.begin(), key.end());
  const LockGuard lock(mutex_);
  keys_.push_back(std::move(ordered));
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
  if (ordered->queue.size() < most_queued) return Queued::yes;
  unreadable_.store(true, std::memory_order_release);
  return Queued::full;
}

bool Lane::wait_and_queue_behind(protocol::IncomingCall& call) {
  if (unordered()) return false;
  const LockGuard lock(mutex_);
  Ordered* ordered = find(call.object_key);
  while (ordered != nullptr && ordered->queue.size() >= most_queued) {
    shorter_.wait(mutex_);
    ordered = find(call.object_key);
  }
  return ordered != nullptr && put(*ordered, call);
}

bool Lane::any_full() const noexcept {
  return std::ranges::any_of(keys_, [](const auto& each) { return each->queue.size() >= most_queued; });
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
  if (!ordered->queue.empty()) {
    auto call = std::move(ordered->queue.front());
    ordered->queue.pop_front();
    return call;
  }
  std::erase_if(keys_, [&](const auto& each) { return each.get() == ordered; });
  running_.fetch_sub(1, std::memory_order_release);
  return nullptr;
}

std::vector<std::unique_ptr<protocol::IncomingCall>> Lane::take_cancelled() {
  std::vector<std::unique_ptr<protocol::IncomingCall>> cancelled;
  const LockGuard lock(mutex_);
  for (const auto& ordered : keys_) {
    std::deque<std::unique_ptr<protocol::IncomingCall>> wanted;
    for (auto& call : ordered->queue) {
      if (call->cancelled()) {
        cancelled.push_back(std::move(call));
      } else {
        wanted.push_back(std::move(call));
      }
    }
    ordered->queue.swap(wanted);
  }
  return cancelled;
}

}  // namespace tenon::orb
