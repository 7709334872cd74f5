// SPDX-License-Identifier: Apache-2.0
//
// The adapter that the ORB core calls: the table of all POAs, and the way from an object key to a servant.
//
// The main path (system id of a transient POA, active, no waiting manager) takes no lock, allocates nothing and compares one word
// per step: POA entry -> slot -> pin -> servant. Everything else (user ids, persistent POAs, default servants, holding) is one
// function further.
//
// Locks: one mutex orders all changes; it is never held while a servant's code or a mapping's code runs. The adapter must outlive
// every thread that may call upcall().
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "base/ref.hpp"
#include "base/thread_annotations.hpp"
#include "orb/adapter.hpp"
#include "poa/current.hpp"
#include "poa/poa.hpp"

namespace tenon::orb {
class Orb;
}

namespace tenon::poa {

class RootAdapter final : public RefCounted, public orb::Adapter {
 public:
  /// Requests that holding managers may keep waiting, over all POAs, unless limit_held_requests() says otherwise.
  static constexpr unsigned held_most = 1000;

  explicit RootAdapter(orb::Orb* orb = nullptr);
  ~RootAdapter() override;

  // --- orb::Adapter ---
  void upcall(protocol::IncomingCall& call) override;
  protocol::LocateStatus locate(ByteView object_key, ior::Ior& forward) override;
  bool owns(ByteView object_key) const noexcept override;
  void shut_down(bool wait_for_completion) override;
  /// Gives up the reference that came with set_adapter().
  void orb_gone() noexcept override { remove_ref(); }

  /// The root POA; made anew when it has been destroyed. Null after shut_down().
  Ref<Poa> root_poa();
  orb::Orb* orb() const noexcept { return orb_; }

  static constexpr std::size_t longest_plain_key = 1024;
  /// Lets a plain key, such as the "NameService" of a corbaloc URL, stand for an object key. An empty target takes it away. False:
  /// the plain key is too long, or looks like one of our own keys.
  bool publish(ByteView plain_key, Octets target);

  /// Further requests to POAs that hold are told TRANSIENT (OMG minor 1).
  void limit_held_requests(unsigned most);

  /// True on a thread that makes an upcall for this adapter.
  bool in_upcall() const noexcept;

 private:
  friend class Poa;
  friend class Manager;
  struct Running;
  using EntryArray = StableArray<PoaEntry, 4, 16>;

  void upcall_slowly(protocol::IncomingCall& call);
  /// The slot for that key, pinned; null when there is none. Takes no lock.
  Slot* pin(const ObjectKey& key) noexcept;
  Slot* pin_in(PoaEntry& entry, const ObjectKey& key) noexcept;
  bool belongs(const Slot& slot, const ObjectKey& key) const noexcept;
  void unpin(Slot& slot) noexcept;
  void settle(Slot& slot, bool last_of_closing) noexcept;
  void finish(Slot& slot) noexcept TENON_EXCLUDES(mutex_);
  /// Waits while the POA's manager holds requests; then the slot, pinned, or null and the reason.
  Slot* wait_and_pin(const ObjectKey& key, Error& why);
  /// The plain key's target, which stays as long as the adapter; empty when there is none. Takes no lock.
  ByteView real_key(ByteView plain) const noexcept;
  bool is_down() const noexcept;
  void destroy(Poa& poa, bool wait);

  // with the mutex held:
  Poa* find_poa(const ObjectKey& key) const noexcept TENON_REQUIRES(mutex_);
  void add(Poa& poa) TENON_REQUIRES(mutex_);
  void take_out(Poa& poa, std::vector<Slot*>& to_finish, std::vector<Ref<Poa>>& taken) TENON_REQUIRES(mutex_);
  Ref<Poa> drain(Poa& poa) noexcept TENON_REQUIRES(mutex_);
  /// Whether other threads make upcalls of that POA, or are finishing one of its slots; if so they tell when they end.
  bool still_running(Poa& poa) noexcept TENON_REQUIRES(mutex_);
  void stop_watching() noexcept TENON_REQUIRES(mutex_);
  void wait_until_quiet(const std::vector<Ref<Poa>>& poas) TENON_REQUIRES(mutex_);

  orb::Orb* const orb_;
  const std::uint64_t incarnation_;
  EntryArray entries_;
  IdTable paths_;  // persistent POAs by the hash of their path

  /// A plain key and what it stands for now; null: nothing. Neither these nor targets go before the adapter does, so that requests
  /// find them without a lock: a program publishes a few names, and rarely anything new under an old one.
  struct Alias {
    Octets plain;
    std::atomic<const Octets*> target;
    const Alias* next;
  };
  static constexpr std::size_t alias_chains = 64;
  static std::size_t alias_chain(ByteView plain) noexcept;
  const Alias* find_alias(ByteView plain) const noexcept;
  std::atomic<const Alias*> alias_heads_[alias_chains]{};

  mutable Mutex mutex_;
  mutable CondVar changed_;  // manager states, slots settled, POAs drained
  std::vector<std::unique_ptr<Alias>> aliases_;
  std::vector<std::unique_ptr<const Octets>> alias_targets_;
  std::vector<Poa*> poas_;  // each with one reference, until it is drained
  std::vector<std::uint32_t> free_entries_;
  std::uint32_t grown_entries_ = 0;
  EntryArray::Pool entry_pool_;
  SlotArray::Pool slot_pool_;
  IdTable::Pool cells_pool_;
  std::uint64_t next_poa_ = 1;
  Poa* root_ = nullptr;
  unsigned held_ = 0;
  unsigned held_most_ = held_most;
  unsigned watchers_ = 0;
  bool down_ = false;
};

}  // namespace tenon::poa
