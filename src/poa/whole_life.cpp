// SPDX-License-Identifier: Apache-2.0
//
// How trees of POAs and their managers come and go.
#include <algorithm>

#include "base/minor_codes.hpp"
#include "poa/observer.hpp"
#include "poa/whole_adapter.hpp"

namespace tenon::poa {

WholeAdapter::~WholeAdapter() = default;

orb::Adapter* make_whole_adapter(orb::Orb& orb) { return new WholeAdapter(&orb); }

Ref<WholePoa> WholeAdapter::root_poa() {
  const Ref<Poa> root = RootAdapter::root_poa();
  return Ref<WholePoa>(root ? root->whole() : nullptr);
}

void WholeAdapter::make_root() {
  const Ref<RootAdapter> self(this);
  const Ref<Manager> manager = make_ref<Manager>(self, "RootPOAManager");
  const auto made =
      Ref<WholePoa>::adopt(new WholePoa(self, nullptr, "RootPOA", manager, Policies::of_root()));
  // There is always a root POA, whatever error the observer returns.
  if (const auto observer = AdapterObserver::of(orb_))
    static_cast<void>(observer->creating(*made, made->components_));
  {
    LockGuard lock(mutex_);
    managers_.reserve(managers_.size() + 1);
    if (add_root(*made)) return know(manager, true);
  }
  made->set_reference_maker(nullptr);
}

void WholeAdapter::enter(WholePoa& poa) {
  // Steps that may fail come first.
  if (poa.policies_.persistent()) paths_.reserve_one(cells_pool_);
  add(poa);
  poa.entry_->linear.store(poa.policies_.demux == Demux::linear, std::memory_order_relaxed);
  if (poa.policies_.persistent()) paths_.insert(hash_text(poa.path_), poa.entry_->index);
}

WholePoa* WholeAdapter::find_poa(const ObjectKey& key) const noexcept {
  if (!key.persistent) {
    Poa* const transient = RootAdapter::find_poa(key);
    return transient != nullptr ? transient->whole() : nullptr;
  }
  WholePoa* found = nullptr;
  paths_.find(hash_text(key.path), [&](std::uint32_t index) {
    Poa* poa = entries_.at(index)->poa;
    if (poa == nullptr || poa->path() != key.path) return false;
    found = poa->whole();
    return true;
  });
  return found;
}

/// Marks the POA and all below it, leaves first, as destroyed.
void WholeAdapter::take_tree_out(WholePoa& poa, bool etherealize, std::vector<Taken>& taken) {
  while (!poa.children_.empty()) take_tree_out(*poa.children_.begin()->second, etherealize, taken);
  taken.emplace_back(Ref<WholePoa>(&poa), 0u);

  if (poa.parent_) poa.parent_->children_.erase(poa.name_);
  if (poa.policies_.persistent()) paths_.erase(hash_text(poa.path_), poa.entry_->index);
  std::uint32_t ended = take_out(poa, etherealize);
  if (poa.manager_->goes_with_poas_ && poa.manager_->first_poa_ == nullptr)
    std::erase(managers_, poa.manager_);
  Slot* manager = poa.fallback();
  poa.entry_->fallback.store(0, std::memory_order_release);
  if (manager != nullptr && manager->is_active() && poa.close(*manager, 0))
    manager->next = std::exchange(ended, manager->index + 1);
  taken.back().ended = ended;
}

RootAdapter::Drained WholeAdapter::drain(Poa& poa) noexcept {
  poa.entry_->ids.give_back(cells_pool_);
  return RootAdapter::drain(poa);
}

void WholeAdapter::finish(Slot& slot) noexcept {
  if ((slot.word.load(std::memory_order_acquire) & Slot::etherealize) == 0) return release(slot);
  etherealize(slot);
}

void WholeAdapter::destroy(Poa& poa, bool etherealize, bool wait) {
  // The references are dropped after the lock.
  const Ref<RootAdapter> self(this);
  std::vector<Taken> taken;
  std::vector<Drained> drained;
  LockGuard lock(mutex_);
  if (!poa.destroyed_) {
    take_tree_out(*poa.whole(), etherealize, taken);
    drained.reserve(taken.size());
    for (const Taken& one : taken) {
      if (one.poa->live_ == 0) drained.push_back(drain(*one.poa));
    }
    changed_.notify_all();
    lock.unlock();
    for (const Taken& one : taken) finish_all(*one.poa, one.ended);
    if (const auto observer = AdapterObserver::of(orb_)) {
      for (const Taken& one : taken) {
        observer->destroyed(*one.poa);
        if (one.poa->has_maker_) one.poa->set_reference_maker(nullptr);
      }
    }
    lock.lock();
  } else {
    taken.emplace_back(Ref<WholePoa>(poa.whole()), 0u);
  }
  if (!wait) return;
  wait_while([&]() TENON_NO_THREAD_SAFETY_ANALYSIS {
    return std::ranges::any_of(
        taken, [this](const Taken& one) TENON_NO_THREAD_SAFETY_ANALYSIS { return still_running(*one.poa); });
  });
}

void WholeAdapter::shut_down(bool wait_for_completion) {
  const Ref<RootAdapter> self(this);
  std::vector<Ref<Manager>> managers;
  own_main_work_.stop();
  {
    LockGuard lock(mutex_);
    down_ = true;
    managers.swap(managers_);
  }
  RootAdapter::shut_down(false);
  own_main_work_.finish();
  if (wait_for_completion) RootAdapter::shut_down(true);
}

// --- managers ---

void WholeAdapter::manager_changed(const Manager& manager, ManagerState state) {
  if (const auto observer = AdapterObserver::of(orb_)) observer->manager_changed(manager, state);
}

void WholeAdapter::etherealize_all(const Manager& manager) {
  for (;;) {
    Ref<WholePoa> ended;
    std::uint32_t first = 0;
    {
      LockGuard lock(mutex_);
      for (Poa* poa = manager.first_poa_; poa != nullptr && !ended; poa = poa->next_of_manager_) {
        WholePoa& one = *poa->whole();  // NOLINT(clang-analyzer-cplusplus.NewDelete): counts
        if (one.policies_.has_activator() && !one.ended_) ended = Ref<WholePoa>(&one);
      }
      if (!ended) return;
      first = ended->end_all(true);
    }
    finish_all(*ended, first);
  }
}

Manager* WholeAdapter::manager_of(std::string_view id) const noexcept {
  for (const Ref<Manager>& each : managers_) {
    if (each->id() == id) return each.get();
  }
  return nullptr;
}

void WholeAdapter::know(const Ref<Manager>& manager, bool goes_with_poas) {
  managers_.push_back(manager);
  manager->goes_with_poas_ = goes_with_poas;
}

/// Makes the manager of a POA that was given none; find_manager() does not know it yet.
Ref<Manager> WholeAdapter::make_manager() {
  std::string id;
  LockGuard lock(mutex_);
  do {
    id = "POAManager " + std::to_string(next_manager_++);
  } while (manager_of(id) != nullptr);
  return make_ref<Manager>(Ref<RootAdapter>(this), std::move(id));
}

Outcome<Ref<Manager>> WholeAdapter::create_manager(std::string id, orb::OwnPoliciesRef own_policies) {
  auto made = make_ref<Manager>(Ref<RootAdapter>(this), std::move(id), std::move(own_policies));
  LockGuard lock(mutex_);
  if (down_) return errors::orb_has_shut_down;
  if (manager_of(made->id()) != nullptr) return Exception::manager_already_exists;
  know(made, false);
  return made;
}

Ref<Manager> WholeAdapter::find_manager(std::string_view id) const {
  LockGuard lock(mutex_);
  return Ref<Manager>(manager_of(id));
}

std::vector<Ref<Manager>> WholeAdapter::managers() const {
  LockGuard lock(mutex_);
  return managers_;
}

void WholeAdapter::limit_held_requests(unsigned most) {
  LockGuard lock(mutex_);
  held_most_ = most;
}

}  // namespace tenon::poa
