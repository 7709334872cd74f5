// SPDX-License-Identifier: Apache-2.0
#include "plugins/inproc/port.hpp"

#include <utility>

#include "base/minor_codes.hpp"
#include "plugins/inproc/memory_transport.hpp"

namespace tenon::inproc {

Port::Port(std::string_view name, unsigned most, std::optional<std::uint32_t> spin_us)
    : name_(name), most_(most), spin_us_(spin_us) {}

Port::~Port() { close(); }

Status Port::put(std::unique_ptr<MemoryTransport> end, Deadline deadline) noexcept {
  const LockGuard lock(mutex_);
  while (!is_closed() && count_ >= most_) {
    if (!taken_.wait_until(mutex_, deadline)) return errors::connect_timed_out;
  }
  if (is_closed()) return errors::cannot_connect;
  MemoryTransport* const added = end.get();
  (last_ == nullptr ? first_ : last_->behind) = std::move(end);
  last_ = added;
  ++count_;
  settle();
  came_.notify_one();
  return {};
}

std::unique_ptr<MemoryTransport> Port::take(bool waits) noexcept {
  const LockGuard lock(mutex_);
  while (waits && !is_closed() && first_ == nullptr) came_.wait(mutex_);
  if (is_closed() || first_ == nullptr) return nullptr;
  std::unique_ptr<MemoryTransport> next = take_first();
  settle();
  taken_.notify_one();
  return next;
}

std::unique_ptr<MemoryTransport> Port::take_first() noexcept {
  std::unique_ptr<MemoryTransport> first = std::move(first_);
  first_ = std::move(first->behind);
  if (first_ == nullptr) last_ = nullptr;
  --count_;
  return first;
}

void Port::close() noexcept {
  // One by one, so that not each end destroys the one behind it, and without the lock, since an end may hold the last reference.
  LockGuard lock(mutex_);
  closed_.store(true, std::memory_order_release);
  came_.notify_all();
  taken_.notify_all();
  while (first_ != nullptr) {
    std::unique_ptr<MemoryTransport> next = take_first();
    lock.unlock();
    next.reset();
    lock.lock();
  }
  settle();
}

int Port::descriptor() noexcept {
  const LockGuard lock(mutex_);
  const int fd = event_.descriptor();
  settle();
  return fd;
}

void Port::close_descriptor() noexcept {
  const LockGuard lock(mutex_);
  event_.close();
}

}  // namespace tenon::inproc
