// SPDX-License-Identifier: Apache-2.0
#include "orb/threads/workers.hpp"

#include <system_error>

namespace tenon::orb {

bool Workers::run(std::function<void()> task) {
  const LockGuard lock(mutex_);
  if (stopping_) return false;
  if (idle_ <= tasks_.size() && !add_thread()) return false;
  tasks_.push_back(std::move(task));
  wanted_.notify_one();
  return true;
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
  if (alive_ >= most_) return false;
  try {
    threads_.emplace_back([this] { work(); });
    ++alive_;
  } catch (const std::system_error&) {
    return false;
  }
  return true;
}

void Workers::work() {
  LockGuard lock(mutex_);
  while (true) {
    const bool enough_wait = winding_down_ && idle_ != 0;
    ++idle_;
    while (!enough_wait && !stopping_ && tasks_.empty()) wanted_.wait(mutex_);
    --idle_;
    if (tasks_.empty()) break;
    std::function<void()> task = std::move(tasks_.front());
    tasks_.pop_front();
    lock.unlock();
    task();
    task = nullptr;
    lock.lock();
  }
  --alive_;
}

void Workers::wind_down() noexcept {
  const LockGuard lock(mutex_);
  winding_down_ = true;
}

void Workers::stop() noexcept {
  const LockGuard alone(joining_);
  std::vector<std::thread> threads;
  {
    const LockGuard lock(mutex_);
    stopping_ = true;
    threads.swap(threads_);
    wanted_.notify_all();
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace tenon::orb
