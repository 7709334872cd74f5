// SPDX-License-Identifier: Apache-2.0
//
// A resolver for tests: the test sets its answers, and when it gives them. Any thread.
#pragma once

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <map>
#include <mutex>
#include <set>
#include <thread>

#include "net/host_names.hpp"

namespace tenon::net {

class TestSource final : public NameSource {
 public:
  std::vector<SocketAddress> look_up(const std::string& host, std::string& why) override {
    std::unique_lock lock(mutex_);
    asked_.push_back(host);
    threads_.insert(std::this_thread::get_id());
    ++running_;
    most_running_ = std::max(most_running_, running_);
    changed_.notify_all();
    changed_.wait(lock, [&] { return !stuck_.contains(host); });
    --running_;
    const auto known = answers_.find(host);
    if (known != answers_.end()) return {*numeric_address({known->second, 0})};
    why = "no address for host '" + host + "'";
    return {};
  }

  void answer(const std::string& host, const std::string& address) {
    const std::lock_guard lock(mutex_);
    answers_[host] = address;
  }
  void forget(const std::string& host) {
    const std::lock_guard lock(mutex_);
    answers_.erase(host);
  }
  void hold(const std::string& host) {
    const std::lock_guard lock(mutex_);
    stuck_.insert(host);
  }
  void let_go(const std::string& host) {
    const std::lock_guard lock(mutex_);
    stuck_.erase(host);
    changed_.notify_all();
  }
  bool wait_until_asked(const std::string& host, std::ptrdiff_t times) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, std::chrono::minutes(1), [&] { return count(host) >= times; });
  }
  std::ptrdiff_t times_asked(const std::string& host) {
    const std::lock_guard lock(mutex_);
    return count(host);
  }
  std::size_t questions() {
    const std::lock_guard lock(mutex_);
    return asked_.size();
  }
  unsigned most_running() {
    const std::lock_guard lock(mutex_);
    return most_running_;
  }
  bool asked_on(std::thread::id thread) {
    const std::lock_guard lock(mutex_);
    return threads_.contains(thread);
  }

 private:
  std::ptrdiff_t count(const std::string& host) const {
    return std::count(asked_.begin(), asked_.end(), host);
  }

  std::mutex mutex_;  // guards what follows
  std::condition_variable changed_;
  std::vector<std::string> asked_;
  std::set<std::thread::id> threads_;
  std::map<std::string, std::string> answers_;
  std::set<std::string> stuck_;
  unsigned running_ = 0;
  unsigned most_running_ = 0;
};

}  // namespace tenon::net
