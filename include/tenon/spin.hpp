// SPDX-License-Identifier: Apache-2.0
//
// Waiting without sleep, for ORBs with the option -ORBSpin: tenon::SpinScope says for how long a thread that waits spins, that is, looks
// again and again for what it waits for. Without a scope, the option says so. It pays if client and server run on processors of their
// own and replies come within tens of microseconds.
#pragma once

#include <tenon/language.hpp>

#include <chrono>
#include <utility>

#include "net/spin.hpp"

namespace tenon {

/// Sets how long the current thread's waits spin while this lives; zero: not at all. Scopes nest, the innermost counts.
class SpinScope {
 public:
  explicit SpinScope(std::chrono::nanoseconds time) noexcept
      : outer_(std::exchange(net::thread_spin_ns, time.count() < 0 ? 0 : time.count())) {}
  ~SpinScope() { net::thread_spin_ns = outer_; }
  SpinScope(const SpinScope&) = delete;
  SpinScope& operator=(const SpinScope&) = delete;

 private:
  const std::int64_t outer_;
};

}  // namespace tenon
