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

class WholePoa;

class AdapterObserver {
 public:
  virtual ~AdapterObserver() = default;

  /// No exception leaves any of these.
  /// A POA is about to be made: so far only its name, policies and manager may be asked. `components` are those of its references. An
  /// error prevents that it is made. The observer may give the POA a ReferenceMaker.
  virtual Error creating(WholePoa& poa, std::vector<orb::ExtraComponent>& components) noexcept = 0;
  virtual void manager_changed(const Manager& manager, ManagerState state) noexcept = 0;
  virtual void destroyed(WholePoa& poa) noexcept = 0;

  /// The observer of that ORB; null: it has none.
  static std::shared_ptr<AdapterObserver> of(orb::Orb* orb);
  static void set(orb::Orb& orb, const std::shared_ptr<AdapterObserver>& observer);
};

}  // namespace tenon::poa
