// SPDX-License-Identifier: Apache-2.0
//
// State changes of a POAManager and the wait for the upcalls that run meanwhile.
#include "poa/manager.hpp"

#include "base/minor_codes.hpp"
#include "poa/observer.hpp"
#include "poa/root_adapter.hpp"

namespace tenon::poa {

Manager::Manager(Ref<RootAdapter> root, std::string id, orb::OwnPoliciesRef own_policies)
    : root_(std::move(root)), id_(std::move(id)), own_policies_(std::move(own_policies)) {}
Manager::~Manager() = default;

ManagerState Manager::state() const {
  LockGuard lock(root_->mutex_);
  return state_;
}

Outcome<void> Manager::activate() { return set(ManagerState::active, false, false); }
Outcome<void> Manager::hold_requests(bool wait) { return set(ManagerState::holding, false, wait); }
Outcome<void> Manager::discard_requests(bool wait) { return set(ManagerState::discarding, false, wait); }
Outcome<void> Manager::deactivate(bool etherealize, bool wait) {
  return set(ManagerState::inactive, etherealize, wait);
}

Outcome<void> Manager::set(ManagerState next, bool etherealize, bool wait) {
  if (wait && root_->in_upcall()) return errors::would_deadlock;
  const auto done = change(next, etherealize, wait);
  if (done) {
    if (const auto observer = AdapterObserver::of(root_->orb())) observer->manager_changed(*this, next);
  }
  return done;
}

Outcome<void> Manager::change(ManagerState next, bool etherealize, bool wait) {
  std::vector<Slot*> to_finish;
  LockGuard lock(root_->mutex_);
  // CORBA 3.4 part 1 §15.3.2: nothing leads out of the inactive state.
  if (state_ == ManagerState::inactive) return Exception::manager_inactive;
  if (etherealize) {
    for (Poa* poa : poas_) to_finish.reserve(to_finish.size() + poa->live_);
  }
  state_ = next;
  const std::uint32_t mine = ++changes_;
  for (Poa* poa : poas_) {
    poa->refresh_gate();
    if (etherealize && poa->policies_.has_activator()) poa->end_all(true, to_finish);
  }
  root_->changed_.notify_all();
  if (!to_finish.empty()) {
    lock.unlock();
    for (Slot* slot : to_finish) root_->finish(*slot);
    lock.lock();
  }
  if (!wait) return {};

  const auto running = [this]() TENON_NO_THREAD_SAFETY_ANALYSIS {
    for (Poa* poa : poas_) {
      if (root_->still_running(*poa)) return true;
    }
    return false;
  };
  ++root_->watchers_;
  while (changes_ == mine && running()) root_->changed_.wait(root_->mutex_);
  if (--root_->watchers_ == 0) root_->stop_watching();
  return {};
}

}  // namespace tenon::poa
