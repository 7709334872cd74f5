// SPDX-License-Identifier: Apache-2.0
//
// An observer of the adapters of an ORB: it is told when they are made, change and are destroyed, and may add components to the profiles of
// their references. An ORB has at most one, attached to it before its first POA is made.
//
// Threads: any, several at a time; no lock is held.
#pragma once

#include <memory>
#include <string>

#include "base/error.hpp"
#include "orb/orb.hpp"
#include "poa/manager.hpp"
#include "poa/policies.hpp"

namespace tenon::poa {

class AdapterObserver {
 public:
  virtual ~AdapterObserver() = default;

  /// A POA of that path (names below the root, each followed by NUL) is about to be made. An error prevents that.
  virtual Error creating(std::string_view path, const Policies& policies, const Manager& manager,
                         std::vector<orb::ExtraComponent>& components) = 0;
  virtual void manager_changed(const Manager& manager, ManagerState state) = 0;
  virtual void destroyed(std::string_view path) = 0;

  /// The observer of that ORB; null: it has none.
  static std::shared_ptr<AdapterObserver> of(orb::Orb* orb);
  static void set(orb::Orb& orb, const std::shared_ptr<AdapterObserver>& observer);
};

}  // namespace tenon::poa
