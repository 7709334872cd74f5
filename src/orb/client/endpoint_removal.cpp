// SPDX-License-Identifier: Apache-2.0
//
// What becomes of endpoints whose protocol is removed while the ORB runs.
#ifdef TENON_WITH_DYNAMIC_PROTOCOLS
#include <utility>

#include "orb/client/endpoint.hpp"
#include "orb/client/endpoints.hpp"

namespace tenon::orb {

Endpoint::Connections Endpoint::leave() noexcept {
  Connections gone;  // declared before the lock: destroyed after it
  const LockGuard lock(mutex_);
  closed_ = Closed::with_protocol;
  Connections connections = connections_;
  retire(gone, [](const protocol::Connection&) { return true; });
  opened_.notify_all();
  return connections;
}

void Endpoints::take_out(std::string_view transport, EndpointList& into) {
  std::size_t kept = 0;
  for (Ref<Endpoint>& endpoint : all_) {
    if (endpoint->key().transport == transport) {
      into.push_back(std::move(endpoint));
      continue;
    }
    if (&all_[kept] != &endpoint) all_[kept] = std::move(endpoint);
    ++kept;
  }
  while (all_.size() > kept) all_.pop_back();
}

}  // namespace tenon::orb
#endif
