// SPDX-License-Identifier: Apache-2.0
//
// The adapter that the ORB core calls: the table of all POAs, and the way from an object key to a servant.
//
// The main path (system id of a transient POA, active, no waiting manager) takes no lock, allocates nothing and compares one word
// per step: POA entry -> slot -> pin -> servant. Everything else (user ids, persistent POAs, default servants, holding) is one
// function further.
//
// Locks: one mutex orders all changes; it is never held while a servant's code or a mapping's code runs. The turn of a POA
// (turn.hpp) is never taken under it. The adapter must outlive every thread that may call upcall().
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/ref.hpp"
#include "base/thread_annotations.hpp"
#include "orb/server/adapter.hpp"
#include "orb/server/serving.hpp"
#include "orb/threads/main_work.hpp"
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
  Result<protocol::LocateStatus> locate(ByteView object_key, ior::Ior& forward,
                                        Deadline deadline = Deadline::never()) override;
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

  // --- POAManagerFactory (CORBA 3.4 part 1 §15.3.2) ---
  Outcome<Ref<Manager>> create_manager(std::string id, orb::OwnPoliciesRef own_policies = nullptr);
  Ref<Manager> find_manager(std::string_view id) const;  ///< null: none of that id
  std::vector<Ref<Manager>> managers() const;

  /// Holding managers may keep `most` requests waiting; further ones get TRANSIENT (OMG minor 1).
  void limit_held_requests(unsigned most);

  /// Called when a reference is made that is to outlive the process, though the endpoints do not. True on the first call only.
  bool first_that_moves() noexcept { return !has_moving_references_.exchange(true); }

  /// True on a thread that makes an upcall for this adapter.
  bool in_upcall() const noexcept;

 private:
  friend class Poa;
  friend class Manager;
  struct Running;
  struct Asking;
  struct HeldTurn;
  using EntryArray = StableArray<PoaEntry, 4, 16>;

  /// The waits of a call (or of a thread that serves none), and until when they may last. Before the first wait, the connection that this
  /// thread serves is handed over, so that other calls over it do not wait as well.
  class Patience {
   public:
    Patience() = default;  ///< without end
    explicit Patience(Deadline until) : until_(until) {}
    explicit Patience(protocol::IncomingCall& call) : call_(&call) {}

    /// Before a wait. An error: no thread is left to serve others.
    Error begin();
    Deadline until() const noexcept { return until_; }
    /// Waits for changed_. The first time it returns at once, because the mutex was let go of. TIMEOUT: the time is over.
    Error wait(RootAdapter& root) TENON_REQUIRES(root.mutex_);
    /// What was waited for has come. An error: the call is no longer wanted. Takes no lock.
    Error end();

   private:
    protocol::IncomingCall* call_ = nullptr;
    Deadline until_;
    std::optional<orb::WaitingInUpcall> waiting_;
  };

  // --- requests (root_adapter.cpp) ---
  void find_and_upcall(protocol::IncomingCall& call);
  /// The slot for that key, pinned; null when there is none. Takes no lock.
  Slot* pin(const ObjectKey& key) noexcept;
  Slot* pin_in(PoaEntry& entry, const ObjectKey& key) noexcept;
  /// As pin(); null also when the POA's gate is shut.
  Slot* pin_open(const ObjectKey& key, std::uint32_t ignored_gates = 0) noexcept;
  bool belongs(const Slot& slot, const ObjectKey& key) const noexcept;
  void unpin(Slot& slot) noexcept;
  /// Waits while the POA's manager holds requests or the POA is being made. Returns the slot, pinned, or null and the reason.
  Slot* wait_and_pin(protocol::IncomingCall& call, const ObjectKey& key, Error& why);
  Slot* pin_when_open(const ObjectKey& key, Patience& patience, Error& why) TENON_REQUIRES(mutex_);
  /// What the state of that manager means for a request: it may run, it has waited and must be looked at again, or it is refused.
  enum class Pass : std::uint8_t { open, again, refused };
  Pass pass(const Manager& manager, Patience& patience, Error& why) TENON_REQUIRES(mutex_);
  bool upcall_on_main(protocol::IncomingCall& call, const ObjectKey& key);
  void serve(protocol::IncomingCall& call, Slot& pinned, const ObjectKey& key);

  // --- servant managers and turns (manage.cpp) ---
  /// The object's slot, pinned, or null and why there is none.
  Slot* incarnate(protocol::IncomingCall& call, Poa& poa, ByteView id, Supplied& refusal);
  void give_back(Poa& poa, ByteView id, Servant& servant) TENON_REQUIRES(mutex_);
  /// Puts what the activator supplied into the map, unless the object is active by now; pinned.
  Slot* retain(Poa& poa, ByteView id, Supplied& supplied) TENON_REQUIRES(mutex_);
  void upcall_by_locator(protocol::IncomingCall& call, Running& running);
  void etherealize(Slot& slot) noexcept TENON_EXCLUDES(mutex_);
  /// The thread that has the POA's turn etherealizes the object; if there is none, this one does.
  void leave_to_turn(Slot& slot) noexcept TENON_EXCLUDES(mutex_);
  void etherealize_in_turn(Slot& slot) noexcept TENON_EXCLUDES(mutex_);
  /// Waits for the end of a closing slot (spuriously, too). BAD_INV_ORDER when that would be a wait for the current thread.
  Error await_end(Poa& poa, const Slot& closing, ByteView id, Patience& patience) TENON_REQUIRES(mutex_);
  Error take_turn(Poa& poa, Patience& patience);
  void give_turn(Poa& poa) noexcept;
  /// Runs code of the application as the POA's thread policy says.
  Error run_by_policy(Poa& poa, Patience& patience, FunctionRef<void()> code);
  orb::MainWork& main_work() noexcept;
  struct Ending;

  // --- adapter activators (activation.cpp), with the mutex held, which is let go of meanwhile ---
  /// An unknown_adapter() that has not returned. On the stack of its thread.
  struct Activation {
    std::thread::id thread;
    std::string path;  ///< of the POA that is to be made
    std::vector<Ref<Poa>> made;
  };
  enum class Asked : std::uint8_t { again, no };
  Asked activate_child(Poa& parent, const std::string& name, Patience& patience, Error& why)
      TENON_REQUIRES(mutex_);
  /// The first POA that is missing on the way.
  Asked activate_path(std::string_view path, Patience& patience, Error& why) TENON_REQUIRES(mutex_);
  /// A POA that is made inside unknown_adapter() takes no requests of other threads until that returns.
  void join_activation(const Ref<Poa>& made) TENON_REQUIRES(mutex_);
  /// True while unknown_adapter() makes the POA on another thread: requests of the current thread have to wait.
  static bool held_back(const Poa& poa) noexcept;

  void settle(Slot& slot, bool last_of_closing) noexcept;
  /// Ends a deactivation: no upcall runs in the slot, and none can start. Etherealizes the object if that is due, else releases.
  void finish(Slot& slot) noexcept TENON_EXCLUDES(mutex_);
  /// The last step of finish(), after the servant activator was told if it had to be.
  void release(Slot& slot) noexcept TENON_EXCLUDES(mutex_);
  /// The plain key's target, which stays as long as the adapter; empty when there is none. Takes no lock.
  ByteView real_key(ByteView plain) const noexcept;
  bool is_down() const noexcept;
  void destroy(Poa& poa, bool etherealize, bool wait);
  Ref<Manager> make_manager() TENON_EXCLUDES(mutex_);

  // with the mutex held:
  Poa* find_poa(const ObjectKey& key) const noexcept TENON_REQUIRES(mutex_);
  void add(Poa& poa) TENON_REQUIRES(mutex_);
  Manager* manager_of(std::string_view id) const noexcept TENON_REQUIRES(mutex_);
  void know(const Ref<Manager>& manager, bool goes_with_poas) TENON_REQUIRES(mutex_);
  void take_out(Poa& poa, bool etherealize, std::vector<Slot*>& to_finish, std::vector<Ref<Poa>>& taken)
      TENON_REQUIRES(mutex_);
  /// Destroy it after the mutex is released: with the POA, the application's servant managers and activators may be destroyed.
  struct Drained {
    Drained() = default;
    explicit Drained(Ref<Poa> gone) noexcept : poa(std::move(gone)) {}
    Drained(Drained&&) = default;
    Drained& operator=(Drained&&) = default;
    ~Drained();
    Ref<Poa> poa;
  };
  Drained drain(Poa& poa) noexcept TENON_REQUIRES(mutex_);
  /// Whether other threads make upcalls of that POA, or are finishing one of its slots; if so they tell when they end.
  bool still_running(Poa& poa) noexcept TENON_REQUIRES(mutex_);
  void stop_watching() noexcept TENON_REQUIRES(mutex_);
  void wait_until_quiet(const std::vector<Ref<Poa>>& poas) TENON_REQUIRES(mutex_);

  orb::Orb* const orb_;
  orb::MainWork own_main_work_;  // where there is no ORB
  const std::uint64_t incarnation_;
  EntryArray entries_;
  IdTable paths_;  // persistent POAs by the hash of their path

  /// A plain key and what it stands for now; null: nothing. Aliases and targets live as long as the adapter, so that requests find them
  /// without a lock: a program publishes a few names, and rarely anything new under an old one.
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
  std::vector<Ref<Manager>> managers_;
  std::uint64_t next_manager_ = 1;
  std::vector<Activation*> activations_;
  unsigned held_ = 0;
  unsigned held_most_ = held_most;
  unsigned watchers_ = 0;
  std::atomic<bool> has_moving_references_{false};
  bool down_ = false;
};

}  // namespace tenon::poa
