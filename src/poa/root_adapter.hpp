// SPDX-License-Identifier: Apache-2.0
//
// The adapter that the ORB core calls: the table of all POAs, and the way from an object key to a servant. LoneAdapter serves an ORB
// that has its root POA alone; WholeAdapter (whole_adapter.hpp) is the one of an ORB with all that the standard gives POAs. What both have
// in common is RootAdapter. Its pure functions are what LoneAdapter does, so that a program with a WholeAdapter links none of them.
//
// The main path (system id of a transient POA, active, no waiting manager) takes no lock, allocates nothing and compares one word
// per step: POA entry -> slot -> pin -> servant. Everything else is one function further: plain keys here; user ids, persistent POAs,
// default servants and requests that are held in WholeAdapter. Here a manager that holds requests holds none: the number that may wait is
// up to the ORB (CORBA 3.4 part 1 §15.3.2), and what exceeds it gets TRANSIENT (OMG minor 1).
//
// Locks: one mutex orders all changes; it is never held while a servant's code or a mapping's code runs. The turn of a POA
// (turn.hpp) is never taken under it. The adapter must outlive every thread that may call upcall().
#pragma once

#include <atomic>

#include "base/function_ref.hpp"
#include "base/ref.hpp"
#include "base/thread_annotations.hpp"
#include "orb/server/adapter.hpp"
#include "poa/current.hpp"
#include "poa/poa.hpp"

namespace tenon::orb {
class Orb;
}

namespace tenon::poa {

class RootAdapter : public RefCounted, public orb::Adapter {
 public:
  /// Where there is no ORB, only keys are made.
  explicit RootAdapter(orb::Orb* orb = nullptr);
  ~RootAdapter() override;

  // --- orb::Adapter ---
  void upcall(protocol::IncomingCall& call) override;
  Result<protocol::LocateStatus> locate(ByteView object_key, ior::Ior& forward,
                                        Deadline deadline = Deadline::never()) override = 0;
  bool owns(ByteView object_key) const noexcept override;
  void shut_down(bool wait_for_completion) override;
  /// Gives up the reference that came with set_adapter().
  void orb_gone() noexcept override { remove_ref(); }

  /// The root POA; made anew when it has been destroyed. BAD_INV_ORDER after shut_down(); NO_MEMORY.
  Outcome<Ref<Poa>> root_poa();
  orb::Orb* orb() const noexcept { return orb_; }

  static constexpr std::size_t longest_plain_key = 1024;
  /// Lets a plain key, such as the "NameService" of a corbaloc URL, stand for an object key. An empty target takes it away.
  /// BAD_PARAM: the plain key is too long, or looks like one of our own keys; NO_MEMORY.
  Status publish(ByteView plain_key, ByteView target);

  /// True on a thread that makes an upcall for this adapter.
  bool in_upcall() const noexcept;

 protected:
  friend class Poa;
  friend class WholePoa;
  friend class Manager;
  struct Running;
  using EntryArray = StableArray<PoaEntry, 1, 19, memory::Kind::objects>;

  // --- requests (root_adapter.cpp) ---
  /// upcall() off the main path.
  virtual void find_and_upcall(protocol::IncomingCall& call) = 0;
  /// The object's slot, pinned; null, and why, when it takes no requests.
  Slot* pin(const ObjectKey& key, Error& why);
  void unpin(Slot& slot) noexcept;
  /// Reads a key of ours, or the one that this plain key stands for.
  bool read(ByteView object_key, ObjectKey& into) const noexcept {
    return read_key(object_key, into) || read_alias(object_key, into);
  }
  bool read_alias(ByteView object_key, ObjectKey& into) const noexcept;
  bool is_down() const noexcept;

  void settle(Slot& slot, bool last_of_closing) noexcept;
  /// Ends a deactivation: no upcall runs in the slot, and none can start.
  virtual void finish(Slot& slot) noexcept TENON_EXCLUDES(mutex_);
  /// The same for those that Poa::end_all() returned.
  void finish_all(const Poa& poa, std::uint32_t first) noexcept TENON_EXCLUDES(mutex_);
  /// The last step of finish(): lets go of the servant, then of the slot.
  void release(Slot& slot) noexcept TENON_EXCLUDES(mutex_);
  virtual void destroy(Poa& poa, bool etherealize, bool wait) = 0;
  /// Servant activators of the manager's POAs are told of the ends of all objects. Here there are none.
  virtual void etherealize_all(const Manager&) TENON_EXCLUDES(mutex_) {}
  /// A manager's state has changed; its POAs have done what belongs to it.
  virtual void manager_changed(const Manager&, ManagerState) {}

  // with the mutex held:
  virtual Poa* find_poa(const ObjectKey& key) const noexcept TENON_REQUIRES(mutex_);
  /// The POA has its place from here on. NO_MEMORY: nothing has happened.
  Status add(Poa& poa) noexcept TENON_REQUIRES(mutex_);
  /// Marks the POA as destroyed; nothing leads to it any more. Returns what Poa::end_all() does.
  std::uint32_t take_out(Poa& poa, bool etherealize) noexcept TENON_REQUIRES(mutex_);
  /// Destroy it after the mutex is released: with the POA, the application's servant managers and activators may be destroyed.
  struct Drained {
    Drained() = default;
    explicit Drained(Ref<Poa> gone) noexcept : poa(std::move(gone)) {}
    Drained(Drained&&) = default;
    Drained& operator=(Drained&&) = default;
    ~Drained() {
      if (poa) poa->let_go();
    }
    Ref<Poa> poa;
  };
  /// Gives the place of a destroyed POA without slots to others.
  virtual Drained drain(Poa& poa) noexcept TENON_REQUIRES(mutex_);
  /// Whether other threads make upcalls of that POA, or are finishing one of its slots; if so they tell when they end.
  bool still_running(Poa& poa) noexcept TENON_REQUIRES(mutex_);
  bool any_running() noexcept TENON_REQUIRES(mutex_);
  /// Waits while `running`, which looks with still_running().
  void wait_while(FunctionRef<bool()> running) TENON_REQUIRES(mutex_);

  /// Makes the root POA and add()s it, unless there is one by then or the adapter is down. NO_MEMORY.
  virtual Status make_root() TENON_EXCLUDES(mutex_) = 0;
  /// As add().
  Status add_root(Poa& made) noexcept TENON_REQUIRES(mutex_);

  orb::Orb* const orb_;
  const std::uint64_t incarnation_;
  EntryArray entries_;

  /// A plain key and what it stands for now (null: nothing), or one of the keys that plain keys stand for. They live as long as the adapter,
  /// so that requests find them without a lock: a program publishes a few names, and rarely anything new under an old one.
  struct Alias {
    const OwnText key;
    std::atomic<const Alias*> target;
    Alias* const next;
  };
  /// Null: there is no memory for it.
  static Alias* make_alias(ByteView key, const Alias* target, Alias* next) noexcept;
  /// Null: none of those that are chained from `first` on is that key.
  static Alias* find_among(Alias* first, ByteView key) noexcept;
  static void drop_all(Alias* first) noexcept;
  static constexpr std::size_t alias_chains = 64;
  static std::size_t alias_chain(ByteView plain) noexcept;
  Alias* find_alias(ByteView plain) const noexcept;
  std::atomic<Alias*> alias_heads_[alias_chains]{};

  mutable Mutex mutex_;
  mutable CondVar changed_;  // manager states, slots settled, POAs drained
  Alias* targets_ = nullptr;
  Poa* poas_ = nullptr;  // each with one reference, until it is drained
  PoaEntry* free_entries_ = nullptr;
  std::uint32_t grown_entries_ = 0;
  EntryArray::Pool entry_pool_;
  SlotArray::Pool slot_pool_;
  /// For ids that name no slot. Where the root POA is alone it is made with the first of them, so that a program which has none links none
  /// of it.
  struct Named {
    /// The active slot that has that id; of a WholePoa also one that is being deactivated.
    Slot* (*find)(const Poa& poa, ByteView id) noexcept;
    void (*forget)(Poa& poa, Slot& slot) noexcept;
    void (*end)(Named& named) noexcept;
    IdTable::Pool pool;
  };
  Named* named_ = nullptr;
  std::uint64_t next_poa_ = 1;
  Poa* root_ = nullptr;
  std::uint32_t objects_ = 0;  // slots of all POAs that are not free, and how many there may be
  const std::uint32_t objects_most_;
  unsigned watchers_ = 0;
  bool down_ = false;
};

class LoneAdapter final : public RootAdapter {
 public:
  explicit LoneAdapter(orb::Orb* orb = nullptr) : RootAdapter(orb) {}
  ~LoneAdapter() override;
  Result<protocol::LocateStatus> locate(ByteView object_key, ior::Ior& forward,
                                        Deadline deadline = Deadline::never()) override {
    return RootAdapter::locate(object_key, forward, deadline);
  }

 private:
  void find_and_upcall(protocol::IncomingCall& call) override { RootAdapter::find_and_upcall(call); }
  void destroy(Poa& poa, bool etherealize, bool wait) override {
    RootAdapter::destroy(poa, etherealize, wait);
  }
  Status make_root() override { return RootAdapter::make_root(); }
};

/// The root POA of an ORB that has no other.
class LonePoa final : public Poa {
 public:
  LonePoa(const Ref<RootAdapter>& root, Ref<Manager>&& manager)
      : Poa(root, "RootPOA", std::move(manager), Policies::of_root()) {}

  Outcome<ObjectId> servant_to_id(Servant& servant) override { return Poa::servant_to_id(servant); }
  Outcome<Ref<Servant>> id_to_servant(ByteView id) const override { return Poa::id_to_servant(id); }

 private:
  Outcome<Slot*> activate_new(Servant& servant) override { return Poa::activate_new(servant); }
};

/// For orb::Parts: the adapter of an ORB that has its root POA alone; null: there is no memory for it.
orb::Adapter* make_root_adapter(orb::Orb& orb);

}  // namespace tenon::poa
