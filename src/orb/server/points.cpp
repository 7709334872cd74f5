// SPDX-License-Identifier: Apache-2.0
//
// What only an ORB does whose endpoints change while it runs.
#ifdef TENON_WITH_DYNAMIC_PROTOCOLS
#include "orb/server/server.hpp"

namespace tenon::orb {

/// A thread that is at the point finds its way on, since that keeps what came behind it.
std::unique_ptr<Server::Point> Server::Points::take_out(Point& point) noexcept {
  std::atomic<Point*>* at = &first_;
  while (at->load(std::memory_order_relaxed) != &point) at = &at->load(std::memory_order_relaxed)->next;
  at->store(point.next.load(std::memory_order_relaxed), std::memory_order_release);
  return std::unique_ptr<Point>(&point);
}

}  // namespace tenon::orb
#endif
