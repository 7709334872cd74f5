// SPDX-License-Identifier: Apache-2.0
//
// Counts the users of something that may be closed at any time, so that it is closed when it has no user: by close() if there is none
// then, else by the last user that leaves. Never waits.
// Threads: everything from any thread.
#pragma once

#include <atomic>

namespace tenon {

class UserCount {
 public:
  /// False: it is closed and has no user; do not leave(). While there is a user, others may enter even after close(), each several times.
  [[nodiscard]] bool enter() noexcept {
    unsigned known = word_.load(std::memory_order_relaxed);
    while (known != closing) {
      if (word_.compare_exchange_weak(known, known + one, std::memory_order_acquire,
                                      std::memory_order_relaxed))
        return true;
    }
    return false;
  }
  /// True: this was the last one after close(), and has to close it now.
  [[nodiscard]] bool leave() noexcept {
    return word_.fetch_sub(one, std::memory_order_acq_rel) == closing + one;
  }
  /// True, once at most: it has no user, and the caller has to close it now.
  [[nodiscard]] bool close() noexcept { return word_.fetch_or(closing, std::memory_order_acq_rel) == 0; }

 private:
  static constexpr unsigned closing = 1;
  static constexpr unsigned one = 2;  // user

  std::atomic<unsigned> word_{0};
};

}  // namespace tenon
