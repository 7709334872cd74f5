// SPDX-License-Identifier: Apache-2.0
#include "orb/lane.hpp"

#include <algorithm>

namespace tenon::orb {

Lane::Ordered* Lane::find(ByteView key) noexcept {
  for (const auto& ordered : ordered_) {
    if (std::ranges::equal(ordered->key, key)) return ordered.get();
  }
  return nullptr;
}

void Lane::enter(ByteView key) {
  auto ordered = std::make_unique<Ordered>();
  ordered->key.assign(key.begin(), key.end());
  std::lock_guard lock(mutex_);
  ordered_.push_back(std::move(ordered));
  running_.fetch_add(1, std::memory_order_release);
}

bool Lane::queue_behind(protocol::IncomingCall& call) {
  std::unique_lock lock(mutex_);
  Ordered* ordered = find(call.object_key);
  while (ordered != nullptr && ordered->queue.size() >= most_queued) {
    shorter_.wait(lock);
    ordered = find(call.object_key);
  }
  if (ordered == nullptr) return false;
  auto taken = call.take();
  if (taken == nullptr) return false;
  ordered->queue.push_back(std::move(taken));
  return true;
}

bool Lane::full() {
  if (unordered()) return false;
  const std::lock_guard lock(mutex_);
  return std::ranges::any_of(ordered_, [](const auto& each) { return each->queue.size() >= most_queued; });
}

std::unique_ptr<protocol::IncomingCall> Lane::next(ByteView key) {
  std::lock_guard lock(mutex_);
  Ordered* ordered = find(key);
  if (ordered == nullptr) return nullptr;
  shorter_.notify_all();
  if (!ordered->queue.empty()) {
    auto call = std::move(ordered->queue.front());
    ordered->queue.pop_front();
    return call;
  }
  std::erase_if(ordered_, [&](const auto& each) { return each.get() == ordered; });
  running_.fetch_sub(1, std::memory_order_release);
  return nullptr;
}

}  // namespace tenon::orb
