// SPDX-License-Identifier: Apache-2.0
//
// How trees of POAs and their managers come and go.
#include <charconv>
#include <iterator>
#include <new>

#include "base/memory.hpp"
#include "base/minor_codes.hpp"
#include "poa/observer.hpp"
#include "poa/whole_running.hpp"

namespace tenon::poa {

WholeAdapter::~WholeAdapter() { named_ = nullptr; }

orb::Adapter* make_whole_adapter(orb::Orb& orb) { return new (std::nothrow) WholeAdapter(&orb); }

Outcome<Ref<WholePoa>> WholeAdapter::root_poa() {
  const Outcome<Ref<Poa>> root = RootAdapter::root_poa();
  if (!root) return root.fault();
  return Ref<WholePoa>((*root)->whole());
}

Status WholeAdapter::make_root() {
  const auto manager = Manager::make(*this, "RootPOAManager");
  if (!manager) return memory::shortage();
  // There is always a root POA, whatever error the observer returns.
  Error refused;
  const auto made = WholePoa::make(*this, nullptr, nullptr, manager, Policies::of_root(), {}, refused);
  if (!made) return refused;
  Status added;
  {
    LockGuard lock(mutex_);
    added = add_root(*made);
    if (root_ == made.get()) {
      know(manager, true);
      entered(*made);
      return {};
    }
  }
  made->set_reference_maker(nullptr);
  return added;
}

Status WholeAdapter::enter(WholePoa& poa) noexcept {
  // Steps that may fail come first.
  if (!paths_.reserve_one(named_->pool)) return memory::shortage();
  if (const Status added = add(poa); !added) return added;
  poa.entry_->linear.store(poa.policies_.demux == Demux::linear, std::memory_order_relaxed);
  paths_.insert(poa.path_->hash, poa.entry_->index);
  WholePoa*& first = poa.parent_->first_child_;
  poa.sibling_linked_by_ = &first;
  poa.next_sibling_ = first;
  if (first != nullptr) first->sibling_linked_by_ = &poa.next_sibling_;
  first = &poa;
  entered(poa);
  return {};
}

WholePoa* WholeAdapter::find_poa(const ObjectKey& key) const noexcept {
  if (!key.persistent) {
    Poa* const transient = RootAdapter::find_poa(key);
    return transient != nullptr ? transient->whole() : nullptr;
  }
  WholePoa* const found = find_path(key.path, hash_text(key.path));
  return found != nullptr && found->policies_.persistent() ? found : nullptr;
}

WholePoa* WholeAdapter::find_path(std::string_view path, std::uint64_t hash) const noexcept {
  WholePoa* found = nullptr;
  paths_.find(hash, [&](std::uint32_t index) {
    Poa* poa = entries_.at(index)->poa;
    if (poa == nullptr || poa->path() != path) return false;
    found = poa->whole();
    return true;
  });
  return found;
}

/// Marks the POA and all below it, leaves first, as destroyed.
void WholeAdapter::take_tree_out(WholePoa& poa, bool etherealize, WholePoa**& end) noexcept {
  while (poa.first_child_ != nullptr) take_tree_out(*poa.first_child_, etherealize, end);
  poa.add_ref();
  *end = &poa;
  end = &poa.next_taken_;

  if (poa.sibling_linked_by_ != nullptr) {  // it is no root
    *poa.sibling_linked_by_ = poa.next_sibling_;
    if (poa.next_sibling_ != nullptr) poa.next_sibling_->sibling_linked_by_ = poa.sibling_linked_by_;
    paths_.erase(poa.path_->hash, poa.entry_->index);
  }
  std::uint32_t ended = take_out(poa, etherealize);
  // The POA has a reference to it as well, so that none is dropped here for the last time.
  if (poa.manager_->goes_with_poas_ && poa.manager_->first_poa_ == nullptr) forget(*poa.manager_);
  Slot* manager = poa.fallback();
  poa.entry_->fallback.store(0, std::memory_order_release);
  if (manager != nullptr && manager->is_active() && poa.close(*manager, 0))
    manager->next = std::exchange(ended, manager->index + 1);
  poa.ended_slots_ = ended;
}

RootAdapter::Drained WholeAdapter::drain(Poa& poa) noexcept {
  poa.entry_->ids.give_back(named_->pool);
  return RootAdapter::drain(poa);
}

void WholeAdapter::finish(Slot& slot) noexcept {
  if ((slot.word.load(std::memory_order_acquire) & Slot::etherealize) == 0) return release(slot);
  (this->*slot.poa->whole()->managed_->etherealize)(slot);
}

void WholeAdapter::destroy(Poa& poa, bool etherealize, bool wait) {
  // The references are dropped after the lock.
  const Ref<RootAdapter> self(this);
  const Ref<Poa> kept(&poa);
  WholePoa* taken = nullptr;
  LockGuard lock(mutex_);
  if (!poa.destroyed_) {
    WholePoa** end = &taken;
    take_tree_out(*poa.whole(), etherealize, end);
    for (WholePoa* one = taken; one != nullptr; one = one->next_taken_) {
      if (one->live_ != 0) continue;
      static_cast<void>(drain(*one).poa.detach());
      one->drained_there_ = true;
    }
    changed_.notify_all();
    lock.unlock();
    for (WholePoa* one = taken; one != nullptr; one = one->next_taken_) finish_all(*one, one->ended_slots_);
    if (const auto observer = AdapterObserver::of(orb_)) {
      for (WholePoa* one = taken; one != nullptr; one = one->next_taken_) {
        observer->destroyed(*one);
        if (one->has_maker_) one->set_reference_maker(nullptr);
      }
    }
    lock.lock();
  }
  if (wait) {
    wait_while([&]() TENON_NO_THREAD_SAFETY_ANALYSIS {
      for (WholePoa* one = taken; one != nullptr; one = one->next_taken_) {
        if (still_running(*one)) return true;
      }
      return still_running(poa);
    });
  }
  lock.unlock();
  while (taken != nullptr) {
    const Ref<WholePoa> one = Ref<WholePoa>::adopt(std::exchange(taken, taken->next_taken_));
    if (one->drained_there_) Drained(Ref<Poa>::adopt(one.get()));
  }
}

void WholeAdapter::shut_down(bool wait_for_completion) {
  const Ref<RootAdapter> self(this);
  Manager* managers = nullptr;
  own_main_work_.stop();
  {
    LockGuard lock(mutex_);
    down_ = true;
    managers = std::exchange(managers_, nullptr);
    managers_end_ = &managers_;
  }
  RootAdapter::shut_down(false);
  own_main_work_.finish();
  if (wait_for_completion) RootAdapter::shut_down(true);
  while (managers != nullptr) Ref<Manager>::adopt(std::exchange(managers, managers->next_known_));
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
  for (Manager* each = managers_; each != nullptr; each = each->next_known_) {
    if (each->id() == id) return each;
  }
  return nullptr;
}

void WholeAdapter::know(const Ref<Manager>& manager, bool goes_with_poas) noexcept {
  manager->goes_with_poas_ = goes_with_poas;
  manager->next_known_ = nullptr;
  *managers_end_ = Ref<Manager>(manager).detach();
  managers_end_ = &manager->next_known_;
}

Ref<Manager> WholeAdapter::forget(const Manager& manager) noexcept {
  for (Manager** place = &managers_; *place != nullptr; place = &(*place)->next_known_) {
    if (*place != &manager) continue;
    Manager* const found = *place;
    *place = found->next_known_;
    if (managers_end_ == &found->next_known_) managers_end_ = place;
    return Ref<Manager>::adopt(found);
  }
  return nullptr;
}

/// Makes the manager of a POA that was given none; find_manager() does not know it yet.
Ref<Manager> WholeAdapter::make_manager() {
  char id[32] = "POAManager ";
  constexpr std::size_t before = sizeof "POAManager " - 1;
  std::string_view name;
  LockGuard lock(mutex_);
  do {
    const char* const end = std::to_chars(id + before, std::end(id), next_manager_++).ptr;
    name = {id, static_cast<std::size_t>(end - id)};
  } while (manager_of(name) != nullptr);
  return Manager::make(*this, name);
}

Outcome<Ref<Manager>> WholeAdapter::create_manager(std::string_view id, orb::OwnPoliciesRef own_policies) {
  auto made = Manager::make(*this, id, std::move(own_policies));
  if (!made) return memory::shortage();
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

std::size_t WholeAdapter::managers(std::span<Ref<Manager>> into) const {
  LockGuard lock(mutex_);
  std::size_t count = 0;
  for (Manager* each = managers_; each != nullptr; each = each->next_known_, ++count) {
    if (count < into.size()) into[count] = Ref<Manager>(each);
  }
  return count;
}

void WholeAdapter::limit_held_requests(unsigned most) {
  LockGuard lock(mutex_);
  held_most_ = most;
}

}  // namespace tenon::poa
