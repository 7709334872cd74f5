// SPDX-License-Identifier: Apache-2.0
//
// A POAManager (CORBA 3.4 part 1 §15.3.2): one state for the POAs that share it. Its state is copied into the gate of each POA,
// which is what an upcall looks at. Any thread.
#pragma once

#include <vector>

#include "base/ref.hpp"
#include "poa/fault.hpp"

namespace tenon::poa {

class Poa;
class RootAdapter;

/// The numbers are those of PortableServer::POAManager::State.
enum class ManagerState : std::uint8_t { holding, active, discarding, inactive };

class Manager final : public RefCounted {
 public:
  explicit Manager(Ref<RootAdapter> root);
  ~Manager() override;

  ManagerState state() const;
  Outcome<void> activate();
  /// With `wait`, returns when no upcall of these POAs runs any more, or another state was set meanwhile. BAD_INV_ORDER (3) when an
  /// upcall would wait for itself; the state then stays.
  Outcome<void> hold_requests(bool wait);
  Outcome<void> discard_requests(bool wait);
  Outcome<void> deactivate(bool wait);

  RootAdapter& root() const noexcept { return *root_; }
  /// What a mapping shows for it. Guarded by the mapping.
  void* face = nullptr;

 private:
  friend class RootAdapter;
  friend class Poa;
  Outcome<void> set(ManagerState next, bool wait);

  const Ref<RootAdapter> root_;
  // guarded by the adapter's mutex:
  ManagerState state_ = ManagerState::holding;
  std::uint32_t changes_ = 0;
  std::vector<Poa*> poas_;
};

}  // namespace tenon::poa
