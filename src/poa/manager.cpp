// SPDX-License-Identifier: Apache-2.0
//
// State changes of a POAManager and the wait for the upcalls that run meanwhile.
#include "poa/manager.hpp"

#include <new>

#include "base/minor_codes.hpp"
#include "poa/root_adapter.hpp"

namespace tenon::poa {

Manager::Manager(RootAdapter& root, std::string_view id, orb::OwnPoliciesRef&& own_policies)
    : root_(&root), id_(id), own_policies_(std::move(own_policies)) {}
Ref<Manager> Manager::make(RootAdapter& root, std::string_view id, orb::OwnPoliciesRef own_policies) {
  return Ref<Manager>::adopt(new (std::nothrow) Manager(root, id, std::move(own_policies)));
}
Manager::~Manager() = default;

ManagerState Manager::state() const {
  LockGuard lock(root_->mutex_);
  return state_;
}

Outcome<void> Manager::activate() {
  std::uint32_t mine = 0;
  const auto done = change(ManagerState::active, false, mine);
  if (done) root_->manager_changed(*this, ManagerState::active);
  return done;
}
Outcome<void> Manager::hold_requests(bool wait) {
  return change_and_wait(ManagerState::holding, false, wait);
}
Outcome<void> Manager::discard_requests(bool wait) {
  return change_and_wait(ManagerState::discarding, false, wait);
}
Outcome<void> Manager::deactivate(bool etherealize, bool wait) {
  return change_and_wait(ManagerState::inactive, etherealize, wait);
}

Outcome<void> Manager::change(ManagerState next, bool etherealize, std::uint32_t& mine) {
  {
    LockGuard lock(root_->mutex_);
    // CORBA 3.4 part 1 §15.3.2: nothing leads out of the inactive state.
    if (state_ == ManagerState::inactive) return Exception::manager_inactive;
    state_ = next;
    mine = ++changes_;
    for (Poa* poa = first_poa_; poa != nullptr; poa = poa->next_of_manager_) poa->refresh_gate();
    root_->changed_.notify_all();
  }
  if (etherealize) root_->etherealize_all(*this);
  return {};
}

Outcome<void> Manager::change_and_wait(ManagerState next, bool etherealize, bool wait) {
  if (wait && root_->in_upcall()) return errors::would_deadlock;
  std::uint32_t mine = 0;
  const auto done = change(next, etherealize, mine);
  if (!done) return done;
  if (wait) {
    LockGuard lock(root_->mutex_);
    root_->wait_while([&]() TENON_NO_THREAD_SAFETY_ANALYSIS {
      for (Poa* poa = first_poa_; poa != nullptr && changes_ == mine; poa = poa->next_of_manager_) {
        if (root_->still_running(*poa)) return true;
      }
      return false;
    });
  }
  root_->manager_changed(*this, next);
  return done;
}

}  // namespace tenon::poa
