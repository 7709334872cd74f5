// SPDX-License-Identifier: Apache-2.0
//
// How POAs come and go: their places in the table, the end of deactivated slots, destruction and shutdown.
#include <sys/random.h>

#include <algorithm>

#include "base/clock.hpp"
#include "base/minor_codes.hpp"
#include "base/wall_clock.hpp"
#include "poa/observer.hpp"
#include "poa/root_adapter.hpp"

namespace tenon::poa {
namespace {

/// 40 random bits, which no earlier process and no other ORB of this process has had.
std::uint64_t new_incarnation() noexcept {
  std::uint64_t random = 0;
  if (::getrandom(&random, sizeof random, GRND_NONBLOCK) != static_cast<ssize_t>(sizeof random)) {
    const std::uint64_t seed[] = {static_cast<std::uint64_t>(wall_clock_now()),
                                  static_cast<std::uint64_t>(steady_now()),
                                  reinterpret_cast<std::uintptr_t>(&random)};
    random = hash_octets({reinterpret_cast<const std::uint8_t*>(seed), sizeof seed});
  }
  return random >> key::serial_bits;
}

std::uint64_t own_pins(const Slot& slot) noexcept {
  std::uint64_t pins = 0;
  for (const Frame* frame = current_frame; frame != nullptr; frame = frame->outer) {
    if (frame->slot == &slot) ++pins;
  }
  return pins;
}

}  // namespace

RootAdapter::RootAdapter(orb::Orb* orb) : orb_(orb), incarnation_(new_incarnation()) {}
RootAdapter::~RootAdapter() = default;

bool RootAdapter::in_upcall() const noexcept {
  for (const Frame* frame = current_frame; frame != nullptr; frame = frame->outer) {
    if (&frame->poa->root() == this) return true;
  }
  return false;
}

Ref<Poa> RootAdapter::root_poa() {
  {
    LockGuard lock(mutex_);
    if (down_) return nullptr;
    if (root_ != nullptr) return Ref<Poa>(root_);
  }
  const Ref<RootAdapter> self(this);
  Ref<Manager> manager = make_ref<Manager>(self, "RootPOAManager");
  auto made = Ref<Poa>::adopt(new Poa(self, nullptr, "RootPOA", manager, Policies::of_root()));
  // There is always a root POA, whatever error the observer returns.
  if (const auto observer = AdapterObserver::of(orb_))
    static_cast<void>(observer->creating(*made, made->components_));
  LockGuard lock(mutex_);
  if (root_ == nullptr && !down_) {
    know(manager, true);
    add(*made);
    root_ = made.get();
  } else {
    lock.unlock();
    made->set_reference_maker(nullptr);
    lock.lock();
  }
  return down_ ? nullptr : Ref<Poa>(root_);
}

void RootAdapter::add(Poa& poa) {
  // Steps that may fail come first.
  poas_.reserve(poas_.size() + 1);
  poa.manager_->poas_.reserve(poa.manager_->poas_.size() + 1);
  free_entries_.reserve(grown_entries_ + std::size_t{1});
  if (poa.policies_.persistent()) paths_.reserve_one(cells_pool_);
  if (free_entries_.empty()) {
    if (grown_entries_ == EntryArray::capacity) throw std::bad_alloc();
    entries_.grow(grown_entries_, entry_pool_)->index = grown_entries_;
    free_entries_.push_back(grown_entries_++);
  }

  poa.entry_ = entries_.at(free_entries_.back());
  free_entries_.pop_back();
  poa.entry_->poa = &poa;
  poa.entry_->linear.store(poa.policies_.demux == Demux::linear, std::memory_order_relaxed);
  poa.stamp_ = incarnation_ << key::serial_bits | (next_poa_++ & ((1u << key::serial_bits) - 1));
  poa.refresh_gate();
  poa.add_ref();
  poas_.push_back(&poa);
  poa.manager_->poas_.push_back(&poa);
  if (poa.policies_.persistent()) paths_.insert(hash_text(poa.path_), poa.entry_->index);
}

Poa* RootAdapter::find_poa(const ObjectKey& key) const noexcept {
  if (!key.persistent) {
    const PoaEntry* entry = entries_.at(key.poa_index);
    Poa* poa = entry != nullptr ? entry->poa : nullptr;
    return poa != nullptr && !poa->destroyed_ && !poa->policies_.persistent() && poa->stamp_ == key.stamp
               ? poa
               : nullptr;
  }
  Poa* found = nullptr;
  paths_.find(hash_text(key.path), [&](std::uint32_t index) {
    Poa* poa = entries_.at(index)->poa;
    if (poa == nullptr || poa->path_ != key.path) return false;
    found = poa;
    return true;
  });
  return found;
}

/// Marks the POA and all below it, leaves first, as destroyed; nothing leads to them any more.
void RootAdapter::take_out(Poa& poa, bool etherealize, std::vector<Slot*>& to_finish,
                           std::vector<Ref<Poa>>& taken) {
  while (!poa.children_.empty()) take_out(*poa.children_.begin()->second, etherealize, to_finish, taken);
  to_finish.reserve(to_finish.size() + poa.live_);
  taken.emplace_back(&poa);

  poa.destroyed_ = true;
  poa.refresh_gate();
  if (poa.parent_) poa.parent_->children_.erase(poa.name_);
  if (root_ == &poa) root_ = nullptr;
  if (poa.policies_.persistent()) paths_.erase(hash_text(poa.path_), poa.entry_->index);
  std::erase(poa.manager_->poas_, &poa);
  if (poa.manager_->goes_with_poas_ && poa.manager_->poas_.empty()) std::erase(managers_, poa.manager_);
  poa.end_all(etherealize, to_finish);
  Slot* manager = poa.fallback();
  poa.entry_->fallback.store(0, std::memory_order_release);
  if (manager != nullptr && manager->is_active() && poa.close(*manager, 0)) to_finish.push_back(manager);
}

RootAdapter::Drained::~Drained() {
  if (!poa) return;
  // The application's objects may hold references to the POA, and only this breaks the circle. No thread uses them any more.
  poa->servant_activator_.reset();
  poa->servant_locator_.reset();
  poa->activator_.reset();
}

/// Gives the place of a destroyed POA without slots to others.
RootAdapter::Drained RootAdapter::drain(Poa& poa) noexcept {
  poa.drained_ = true;
  poa.entry_->slots.give_back(slot_pool_);
  poa.entry_->ids.give_back(cells_pool_);
  poa.entry_->poa = nullptr;
  free_entries_.push_back(poa.entry_->index);
  poa.entry_ = nullptr;
  std::erase(poas_, &poa);
  return Drained(Ref<Poa>::adopt(&poa));
}

void RootAdapter::finish(Slot& slot) noexcept {
  if ((slot.word.load(std::memory_order_acquire) & Slot::etherealize) == 0) return release(slot);
  etherealize(slot);
}

/// Lets go of the servant, then of the slot.
void RootAdapter::release(Slot& slot) noexcept {
  if (slot.servant != nullptr) slot.servant->remove_ref();
  // Held until after the lock: the last reference to a POA may be the last one to this adapter.
  const Ref<RootAdapter> self(this);
  Drained drained;
  LockGuard lock(mutex_);
  Poa& poa = *slot.poa;
  const bool told = (slot.word.load(std::memory_order_relaxed) & Slot::etherealize) != 0;
  if (slot.servant != nullptr && !told && poa.tracks_servants()) poa.forget(*slot.servant);
  poa.free_slot(slot);
  if (poa.destroyed_ && poa.live_ == 0) drained = drain(poa);
  changed_.notify_all();
}

bool RootAdapter::still_running(Poa& poa) noexcept {
  if (poa.drained_) return false;
  for (std::uint32_t i = 0; i < poa.grown_; ++i) {
    Slot& slot = *poa.entry_->slots.at(i);
    if ((slot.word.load(std::memory_order_seq_cst) & (Slot::count_mask | Slot::closing)) == 0) continue;
    const std::uint64_t word = slot.word.fetch_or(Slot::watched, std::memory_order_seq_cst);
    const std::uint64_t pins = word & Slot::count_mask;
    if (pins > own_pins(slot) || (pins == 0 && (word & Slot::closing) != 0)) return true;
  }
  return false;
}

void RootAdapter::stop_watching() noexcept {
  for (Poa* poa : poas_) {
    for (std::uint32_t i = 0; i < poa->grown_; ++i) {
      poa->entry_->slots.at(i)->word.fetch_and(~Slot::watched, std::memory_order_relaxed);
    }
  }
}

void RootAdapter::destroy(Poa& poa, bool etherealize, bool wait) {
  // The references are dropped after the lock.
  const Ref<RootAdapter> self(this);
  std::vector<Ref<Poa>> taken;
  std::vector<Drained> drained;
  std::vector<Slot*> to_finish;
  LockGuard lock(mutex_);
  if (!poa.destroyed_) {
    take_out(poa, etherealize, to_finish, taken);
    drained.reserve(taken.size());
    for (const Ref<Poa>& one : taken) {
      if (one->live_ == 0) drained.push_back(drain(*one));
    }
    changed_.notify_all();
    lock.unlock();
    for (Slot* slot : to_finish) finish(*slot);
    if (const auto observer = AdapterObserver::of(orb_)) {
      for (const Ref<Poa>& one : taken) {
        observer->destroyed(*one);
        if (one->has_maker_) one->set_reference_maker(nullptr);
      }
    }
    lock.lock();
  } else {
    taken.emplace_back(&poa);
  }
  if (wait) wait_until_quiet(taken);
}

void RootAdapter::wait_until_quiet(const std::vector<Ref<Poa>>& poas) {
  ++watchers_;
  for (const Ref<Poa>& poa : poas) {
    while (still_running(*poa)) changed_.wait(mutex_);
  }
  if (--watchers_ == 0) stop_watching();
}

void RootAdapter::shut_down(bool wait_for_completion) {
  const Ref<RootAdapter> self(this);
  Ref<Poa> root;
  std::vector<Ref<Poa>> running;
  std::vector<Ref<Manager>> managers;
  own_main_work_.stop();
  {
    LockGuard lock(mutex_);
    down_ = true;
    root = Ref<Poa>(root_);
    managers.swap(managers_);
    changed_.notify_all();
  }
  if (root) destroy(*root, true, false);
  own_main_work_.finish();
  if (!wait_for_completion) return;
  LockGuard lock(mutex_);  // NOLINT(clang-analyzer-cplusplus.NewDelete): `self` keeps it
  for (Poa* poa : poas_) running.emplace_back(poa);
  wait_until_quiet(running);
}

// --- managers ---

Manager* RootAdapter::manager_of(std::string_view id) const noexcept {
  for (const Ref<Manager>& each : managers_) {
    if (each->id() == id) return each.get();
  }
  return nullptr;
}

void RootAdapter::know(const Ref<Manager>& manager, bool goes_with_poas) {
  managers_.push_back(manager);
  manager->goes_with_poas_ = goes_with_poas;
}

/// Makes the manager of a POA that was given none; find_manager() does not know it yet.
Ref<Manager> RootAdapter::make_manager() {
  std::string id;
  LockGuard lock(mutex_);
  do {
    id = "POAManager " + std::to_string(next_manager_++);
  } while (manager_of(id) != nullptr);
  return make_ref<Manager>(Ref<RootAdapter>(this), std::move(id));
}

Outcome<Ref<Manager>> RootAdapter::create_manager(std::string id, orb::OwnPoliciesRef own_policies) {
  auto made = make_ref<Manager>(Ref<RootAdapter>(this), std::move(id), std::move(own_policies));
  LockGuard lock(mutex_);
  if (down_) return errors::orb_has_shut_down;
  if (manager_of(made->id()) != nullptr) return Exception::manager_already_exists;
  know(made, false);
  return made;
}

Ref<Manager> RootAdapter::find_manager(std::string_view id) const {
  LockGuard lock(mutex_);
  return Ref<Manager>(manager_of(id));
}

std::vector<Ref<Manager>> RootAdapter::managers() const {
  LockGuard lock(mutex_);
  return managers_;
}

void RootAdapter::limit_held_requests(unsigned most) {
  LockGuard lock(mutex_);
  held_most_ = most;
}

bool RootAdapter::publish(ByteView plain_key, Octets target) {
  ObjectKey own;
  if (plain_key.size() > longest_plain_key || read_key(plain_key, own)) return false;
  LockGuard lock(mutex_);
  const Octets* now = nullptr;
  if (!target.empty()) {
    for (const auto& known : alias_targets_) {
      if (*known == target) now = known.get();
    }
    if (now == nullptr)
      now = alias_targets_.emplace_back(std::make_unique<const Octets>(std::move(target))).get();
  }
  std::atomic<const Alias*>& head = alias_heads_[alias_chain(plain_key)];
  for (const auto& alias : aliases_) {
    if (!std::ranges::equal(alias->plain, plain_key)) continue;
    alias->target.store(now, std::memory_order_release);
    return true;
  }
  if (now == nullptr) return true;
  aliases_.push_back(
      std::unique_ptr<Alias>(new Alias{{plain_key.begin(), plain_key.end()}, now, head.load()}));
  head.store(aliases_.back().get(), std::memory_order_release);
  return true;
}

std::size_t RootAdapter::alias_chain(ByteView plain) noexcept {
  std::uint32_t hash = 2166136261;  // FNV-1a; nothing depends on its quality
  for (const std::uint8_t octet : plain) hash = (hash ^ octet) * 16777619;
  return hash % alias_chains;
}

const RootAdapter::Alias* RootAdapter::find_alias(ByteView plain) const noexcept {
  if (plain.size() > longest_plain_key) return nullptr;
  const Alias* alias = alias_heads_[alias_chain(plain)].load(std::memory_order_acquire);
  while (alias != nullptr && !std::ranges::equal(alias->plain, plain)) alias = alias->next;
  return alias;
}

}  // namespace tenon::poa
