// SPDX-License-Identifier: Apache-2.0
#include "orb/workers.hpp"

#include <system_error>

namespace tenon::orb {

bool Workers::run(std::function<void()> task) {
  std::lock_guard lock(mutex_);
  if (stopping_) return false;
  if (idle_ <= tasks_.size() && !add_thread()) return false;
  tasks_.push_back(std::move(task));
  wanted_.notify_one();
  return true;
}

bool Workers::queue(std::function<void()>&& task) {
  std::lock_guard lock(mutex_);
  if (stopping_) return false;
  if (idle_ <= tasks_.size() && !add_thread() && threads_.empty()) return false;
  tasks_.push_back(std::move(task));
  wanted_.notify_one();
  return true;
}

bool Workers::add_thread() {
  if (threads_.size() >= most_) return false;
  try {
    threads_.emplace_back([this] { work(); });
  } catch (const std::system_error&) {
    return false;
  }
  return true;
}

void Workers::work() {
  std::unique_lock lock(mutex_);
  while (true) {
    ++idle_;
    wanted_.wait(lock, [this] { return stopping_ || !tasks_.empty(); });
    --idle_;
    if (tasks_.empty()) return;
    std::function<void()> task = std::move(tasks_.front());
    tasks_.pop_front();
    lock.unlock();
    task();
    task = nullptr;
    lock.lock();
  }
}

void Workers::stop() noexcept {
  std::lock_guard alone(joining_);
  std::vector<std::thread> threads;
  {
    std::lock_guard lock(mutex_);
    stopping_ = true;
    threads.swap(threads_);
    wanted_.notify_all();
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace tenon::orb
