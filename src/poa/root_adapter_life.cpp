// SPDX-License-Identifier: Apache-2.0
//
// How POAs come and go: their places in the table, the end of deactivated slots, destruction and shutdown.
#include <sys/random.h>

#include <limits>
#include <new>

#include "base/clock.hpp"
#include "base/minor_codes.hpp"
#include "base/wall_clock.hpp"
#include "orb/orb.hpp"
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

std::uint32_t most_objects(const orb::Orb* orb) noexcept {
  constexpr std::uint32_t unlimited = std::numeric_limits<std::uint32_t>::max();
  const unsigned limit = orb != nullptr ? orb->options().limits.objects : 0;
  return limit != 0 ? limit : unlimited;
}

std::uint64_t own_pins(const Slot& slot) noexcept {
  std::uint64_t pins = 0;
  for (const Frame* frame = current_frame; frame != nullptr; frame = frame->outer) {
    if (frame->slot == &slot) ++pins;
  }
  return pins;
}

}  // namespace

RootAdapter::RootAdapter(orb::Orb* orb)
    : orb_(orb), incarnation_(new_incarnation()), objects_most_(most_objects(orb)) {}

RootAdapter::~RootAdapter() {
  if (named_ != nullptr) named_->end(*named_);
  for (const auto& head : alias_heads_) drop_all(head.load());
  drop_all(targets_);
}

LoneAdapter::~LoneAdapter() = default;

orb::Adapter* make_root_adapter(orb::Orb& orb) { return new (std::nothrow) LoneAdapter(&orb); }

bool RootAdapter::in_upcall() const noexcept {
  for (const Frame* frame = current_frame; frame != nullptr; frame = frame->outer) {
    if (&frame->poa->root() == this) return true;
  }
  return false;
}

Outcome<Ref<Poa>> RootAdapter::root_poa() {
  for (;;) {
    {
      LockGuard lock(mutex_);  // NOLINT(clang-analyzer-cplusplus.NewDelete): the caller's reference lasts
      if (down_) return errors::orb_has_shut_down;
      if (root_ != nullptr) return Ref<Poa>(root_);
    }
    if (const Status made = make_root(); !made) return made.error();
  }
}

Status RootAdapter::make_root() {
  const Ref<RootAdapter> self(this);
  auto manager = Manager::make(*this, "RootPOAManager");
  if (!manager) return memory::shortage();
  const auto made = Ref<Poa>::adopt(new (std::nothrow) LonePoa(self, std::move(manager)));
  if (!made) return memory::shortage();
  LockGuard lock(mutex_);
  return add_root(*made);
}

Status RootAdapter::add_root(Poa& made) noexcept {
  if (root_ != nullptr || down_) return {};
  const Status added = add(made);
  if (added) root_ = &made;
  return added;
}

Status RootAdapter::add(Poa& poa) noexcept {
  // The step that may fail comes first.
  if (free_entries_ == nullptr) {
    if (grown_entries_ == EntryArray::capacity) return memory::shortage();
    free_entries_ = entries_.grow(grown_entries_, entry_pool_);
    if (free_entries_ == nullptr) return memory::shortage();
    free_entries_->index = grown_entries_++;
    free_entries_->next_free = nullptr;
  }
  poa.entry_ = std::exchange(free_entries_, free_entries_->next_free);
  poa.entry_->poa = &poa;
  poa.stamp_ = incarnation_ << key::serial_bits | (next_poa_++ & ((1u << key::serial_bits) - 1));
  poa.refresh_gate();
  poa.add_ref();
  poa.next_ = poas_;
  poa.linked_by_ = &poas_;
  if (poas_ != nullptr) poas_->linked_by_ = &poa.next_;
  poas_ = &poa;
  poa.next_of_manager_ = std::exchange(poa.manager_->first_poa_, &poa);
  return {};
}

std::uint32_t RootAdapter::take_out(Poa& poa, bool etherealize) noexcept {
  poa.destroyed_ = true;
  poa.refresh_gate();
  if (root_ == &poa) root_ = nullptr;
  Poa** place = &poa.manager_->first_poa_;
  while (*place != &poa) place = &(*place)->next_of_manager_;
  *place = poa.next_of_manager_;
  return poa.end_all(etherealize);
}

RootAdapter::Drained RootAdapter::drain(Poa& poa) noexcept {
  poa.drained_ = true;
  poa.entry_->slots.give_back(slot_pool_);
  poa.entry_->poa = nullptr;
  poa.entry_->next_free = std::exchange(free_entries_, poa.entry_);
  poa.entry_ = nullptr;
  *poa.linked_by_ = poa.next_;
  if (poa.next_ != nullptr) poa.next_->linked_by_ = poa.linked_by_;
  return Drained(Ref<Poa>::adopt(&poa));
}

void RootAdapter::finish(Slot& slot) noexcept { release(slot); }

void RootAdapter::finish_all(const Poa& poa, std::uint32_t first) noexcept {
  // With the last slot the POA may lose its place, and these.
  const SlotArray* const slots = first != 0 ? &poa.entry_->slots : nullptr;
  while (first != 0) {
    Slot& slot = *slots->at(first - 1);
    first = slot.next;
    finish(slot);
  }
}

void RootAdapter::release(Slot& slot) noexcept {
  if (slot.servant != nullptr) slot.servant->remove_ref();
  // Held until after the lock: the last reference to a POA may be the last one to this adapter.
  const Ref<RootAdapter> self(this);
  Drained drained;
  LockGuard lock(mutex_);
  Poa& poa = *slot.poa;
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

bool RootAdapter::any_running() noexcept {
  for (Poa* poa = poas_; poa != nullptr; poa = poa->next_) {
    if (still_running(*poa)) return true;
  }
  return false;
}

void RootAdapter::wait_while(FunctionRef<bool()> running) {
  ++watchers_;
  while (running()) changed_.wait(mutex_);
  if (--watchers_ != 0) return;
  for (Poa* poa = poas_; poa != nullptr; poa = poa->next_) {
    for (std::uint32_t i = 0; i < poa->grown_; ++i) {
      poa->entry_->slots.at(i)->word.fetch_and(~Slot::watched, std::memory_order_relaxed);
    }
  }
}

void RootAdapter::destroy(Poa& poa, bool etherealize, bool wait) {
  // The references are dropped after the lock.
  const Ref<RootAdapter> self(this);
  const Ref<Poa> kept(&poa);
  Drained drained;
  LockGuard lock(mutex_);
  if (!poa.destroyed_) {
    const std::uint32_t ended = take_out(poa, etherealize);
    if (poa.live_ == 0) drained = drain(poa);
    changed_.notify_all();
    lock.unlock();
    finish_all(poa, ended);
    lock.lock();
  }
  if (wait) wait_while([&]() TENON_NO_THREAD_SAFETY_ANALYSIS { return still_running(poa); });
}

void RootAdapter::shut_down(bool wait_for_completion) {
  const Ref<RootAdapter> self(this);
  Ref<Poa> root;
  {
    LockGuard lock(mutex_);
    down_ = true;
    root = Ref<Poa>(root_);
    changed_.notify_all();
  }
  if (root) destroy(*root, true, false);
  if (!wait_for_completion) return;
  LockGuard lock(mutex_);  // NOLINT(clang-analyzer-cplusplus.NewDelete): `self` keeps it
  wait_while([this]() TENON_NO_THREAD_SAFETY_ANALYSIS { return any_running(); });
}

}  // namespace tenon::poa
