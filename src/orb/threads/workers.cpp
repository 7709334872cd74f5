// SPDX-License-Identifier: Apache-2.0
#include "orb/threads/workers.hpp"

#include <utility>

namespace tenon::orb {

namespace {

/// As the C library has it: RLIMIT_STACK of the process's start with glibc.
std::size_t default_stack_size() {
  std::size_t size = 0;
  pthread_attr_t attributes;
  ::pthread_attr_init(&attributes);
  ::pthread_attr_getstacksize(&attributes, &size);
  ::pthread_attr_destroy(&attributes);
  return size;
}

}  // namespace

Workers::Workers(unsigned most) : most_(most), stacks_(default_stack_size()) {}

bool Workers::run(std::function<void()> task) {
  const LockGuard lock(mutex_);
  if (stopping_) return false;
  if (idle_ <= tasks_.size() && !add_thread()) return false;
  tasks_.push_back(std::move(task));
  wanted_.notify_one();
  return true;
}

void Workers::start(unsigned count) {
  const LockGuard lock(mutex_);
  if (memory::has_room(memory::Kind::connections, count * sizeof(pthread_t))) threads_.reserve(count);
  while (alive_ < count && add_thread()) continue;
}

bool Workers::queue(std::function<void()>&& task) {
  const LockGuard lock(mutex_);
  if (stopping_) return false;
  if (idle_ <= tasks_.size() && !add_thread() && alive_ == 0) return false;
  tasks_.push_back(std::move(task));
  wanted_.notify_one();
  return true;
}

bool Workers::add_thread() {
  if (alive_ >= most_ || !memory::can_grow(threads_)) return false;
  const auto stack = stacks_.next();
  if (!stack) return false;
  threads_.emplace_back();
  pthread_attr_t attributes;
  ::pthread_attr_init(&attributes);
  const bool made = ::pthread_attr_setstack(&attributes, stack->data(), stack->size()) == 0 &&
                    ::pthread_create(&threads_.back(), &attributes, run_thread, this) == 0;
  ::pthread_attr_destroy(&attributes);
  if (!made) {
    threads_.pop_back();
    return false;
  }
  stacks_.taken();
  ++alive_;
  ++idle_;
  return true;
}

void* Workers::run_thread(void* workers) {
  static_cast<Workers*>(workers)->work();
  return nullptr;
}

void Workers::work() {
  LockGuard lock(mutex_);
  while (true) {
    const bool enough_wait = winding_down_ && idle_ != 1;
    while (!enough_wait && !stopping_ && tasks_.empty()) wanted_.wait(mutex_);
    --idle_;
    if (tasks_.empty()) break;
    std::function<void()> task = std::move(tasks_.front());
    tasks_.pop_front();
    lock.unlock();
    task();
    task = nullptr;
    lock.lock();
    ++idle_;
  }
  --alive_;
}

void Workers::wind_down() noexcept {
  const LockGuard lock(mutex_);
  winding_down_ = true;
}

void Workers::stop() noexcept {
  const LockGuard alone(joining_);
  memory::Vector<pthread_t, memory::Kind::connections> threads;
  {
    const LockGuard lock(mutex_);
    stopping_ = true;
    threads.swap(threads_);
    wanted_.notify_all();
  }
  for (const pthread_t thread : threads) ::pthread_join(thread, nullptr);
}

}  // namespace tenon::orb
