// SPDX-License-Identifier: Apache-2.0
#include "poa/observer.hpp"

namespace tenon::poa {

namespace {
constexpr char observer_key = 0;
}

std::shared_ptr<AdapterObserver> AdapterObserver::of(orb::Orb* orb) {
  if (orb == nullptr) return nullptr;
  return std::static_pointer_cast<AdapterObserver>(
      orb->attachment(&observer_key, []() -> std::shared_ptr<void> { return nullptr; }));
}

void AdapterObserver::set(orb::Orb& orb, const std::shared_ptr<AdapterObserver>& observer) {
  orb.attachment(&observer_key, [&]() -> std::shared_ptr<void> { return observer; });
}

}  // namespace tenon::poa
