// SPDX-License-Identifier: Apache-2.0
//
// A POAManager (CORBA 3.4 part 1 §15.3.2): one state for the POAs that share it. Its state is copied into the gate of each POA,
// which is what an upcall looks at. Any thread.
#pragma once

#include <string>
#include <string_view>

#include "base/ref.hpp"
#include "orb/own_policies.hpp"
#include "poa/fault.hpp"

namespace tenon::poa {

class Poa;
class RootAdapter;
class WholeAdapter;
class WholePoa;

/// The numbers are those of PortableServer::POAManager::State.
enum class ManagerState : std::uint8_t { holding, active, discarding, inactive };

class Manager final : public RefCounted {
 public:
  /// Null: there is no memory for it.
  static Ref<Manager> make(RootAdapter& root, std::string_view id,
                           orb::OwnPoliciesRef own_policies = nullptr);
  ~Manager() override;

  /// Unique among the managers of the ORB.
  const std::string& id() const noexcept { return id_; }
  /// Policies that only the program knows, for those POAs that have none of the type; null: none.
  const orb::OwnPoliciesRef& own_policies() const noexcept { return own_policies_; }
  ManagerState state() const;
  Outcome<void> activate();
  /// With `wait`, returns when no upcall of these POAs runs any more, or another state was set meanwhile. BAD_INV_ORDER (3) when an
  /// upcall would wait for itself; the state then stays.
  Outcome<void> hold_requests(bool wait);
  Outcome<void> discard_requests(bool wait);
  /// With `etherealize`, servant activators are told of all objects, when their last upcalls have ended.
  Outcome<void> deactivate(bool etherealize, bool wait);

  RootAdapter& root() const noexcept { return *root_; }
  /// The mapping's object for this manager. Guarded by the mapping.
  void* face = nullptr;

 private:
  friend class RootAdapter;
  friend class WholeAdapter;
  friend class Poa;
  friend class WholePoa;
  Manager(RootAdapter& root, std::string_view id, orb::OwnPoliciesRef&& own_policies);
  /// `mine` is which of the changes this is.
  Outcome<void> change(ManagerState next, bool etherealize, std::uint32_t& mine);
  Outcome<void> change_and_wait(ManagerState next, bool etherealize, bool wait);

  const Ref<RootAdapter> root_;
  const std::string id_;
  const orb::OwnPoliciesRef own_policies_;
  // guarded by the adapter's mutex:
  ManagerState state_ = ManagerState::holding;
  std::uint32_t changes_ = 0;
  Manager* next_known_ = nullptr;  // among the adapter's, each of which has one reference
  bool goes_with_poas_ = false;    // made by create_POA: no longer listed once its last POA is gone
  Poa* first_poa_ = nullptr;       // of those that are not destroyed, by Poa::next_of_manager_
};

}  // namespace tenon::poa
