// SPDX-License-Identifier: Apache-2.0
//
// For tests: while it lives, every thread that closes a connection pauses before it sends CloseConnection, so that messages of the peer
// cross it. One at a time; it is made and destroyed while no connection closes.
#pragma once

#include <chrono>
#include <functional>
#include <thread>
#include <utility>

#include "test_hooks.hpp"

namespace tenon::giop {

class GoodbyePause {
 public:
  /// `first`: what happens at the beginning of the pause.
  explicit GoodbyePause(bool wanted = true, std::function<void()> first = {}) {
    before = std::move(first);
    if (wanted) test_hooks.before_goodbye = pause;
  }
  ~GoodbyePause() { test_hooks.before_goodbye = nullptr; }
  GoodbyePause(const GoodbyePause&) = delete;
  GoodbyePause& operator=(const GoodbyePause&) = delete;

 private:
  static void pause(Deadline) {
    if (before) before();
    std::this_thread::sleep_for(std::chrono::milliseconds(3));
  }
  static inline std::function<void()> before;
};

}  // namespace tenon::giop
