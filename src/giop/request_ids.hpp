// SPDX-License-Identifier: Apache-2.0
//
// The request ids that one side of a connection gives to its requests and locate requests, which share them (CORBA 3.4 part 2 §9.5.1).
// The originator takes even ones, the acceptor odd ones (§9.8), so that both sides never use the same id. Safe from any thread.
#pragma once

#include <atomic>
#include <cstdint>

#include "giop/session.hpp"

namespace tenon::giop {

class RequestIds {
 public:
  /// Starts counting at `id`, whose lowest bit becomes that of the side.
  explicit RequestIds(Side side, std::uint32_t id = 0) noexcept
      : next_((id & ~std::uint32_t{1}) | (side == Side::originator ? 0 : 1)) {}

  /// The next one; wraps around.
  std::uint32_t next() noexcept { return next_.fetch_add(2, std::memory_order_relaxed); }
  /// How many there have been, modulo 2^31.
  std::uint32_t count() const noexcept { return next_.load(std::memory_order_relaxed) / 2; }
  /// The next one for which in_use(id) is false.
  template <typename InUse>
  std::uint32_t next_unless(const InUse& in_use) noexcept {
    std::uint32_t id = next();
    while (in_use(id)) id = next();
    return id;
  }

 private:
  std::atomic<std::uint32_t> next_;
};

}  // namespace tenon::giop
