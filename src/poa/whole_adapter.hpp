// SPDX-License-Identifier: Apache-2.0
//
// The adapter of an ORB with all that the standard gives POAs. A part of its own: what requests of a root POA need is in RootAdapter, which
// never refers to this.
//
// Threads and locks: see root_adapter.hpp.
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <thread>

#include "orb/server/serving.hpp"
#include "orb/threads/main_work.hpp"
#include "poa/root_adapter.hpp"
#include "poa/whole_poa.hpp"

namespace tenon::poa {

class WholeAdapter : public RootAdapter {
 public:
  /// Requests that holding managers may keep waiting, over all POAs, unless limit_held_requests() says otherwise.
  static constexpr unsigned held_most = 1000;

  explicit WholeAdapter(orb::Orb* orb = nullptr) : RootAdapter(orb) { named_ = &own_named_; }
  ~WholeAdapter() override;

  // --- orb::Adapter ---
  Result<protocol::LocateStatus> locate(ByteView object_key, ior::Ior& forward,
                                        Deadline deadline = Deadline::never()) override;
  void shut_down(bool wait_for_completion) final;

  /// The root POA, as one with everything. As RootAdapter::root_poa().
  Outcome<Ref<WholePoa>> root_poa();

  // --- POAManagerFactory (CORBA 3.4 part 1 §15.3.2) ---
  Outcome<Ref<Manager>> create_manager(std::string_view id, orb::OwnPoliciesRef own_policies = nullptr);
  Ref<Manager> find_manager(std::string_view id) const;  ///< null: none of that id
  /// How many there are, in the order in which they were made; as many as fit are put into `into`.
  std::size_t managers(std::span<Ref<Manager>> into) const;

  /// Holding managers may keep `most` requests waiting; further ones get TRANSIENT (OMG minor 1).
  void limit_held_requests(unsigned most);

  /// Called when a reference is made that is to outlive the process, though the endpoints do not. True on the first call only.
  bool first_that_moves() noexcept { return !has_moving_references_.exchange(true); }

 private:
  friend class WholePoa;
  friend class GuardedAdapter;
  struct Asking;
  struct HeldTurn;

  /// The waits of a call (or of a thread that serves none), and until when they may last. Before the first wait, the connection that this
  /// thread serves is handed over, so that other calls over it do not wait as well.
  class Patience {
   public:
    Patience() = default;  ///< without end
    explicit Patience(Deadline until) : until_(until) {}
    explicit Patience(protocol::IncomingCall& call) : call_(&call) {}

    /// Before a wait. TRANSIENT: no thread is left to serve others.
    Error begin();
    Deadline until() const noexcept { return until_; }
    /// Waits for changed_. The first time it returns at once, because the mutex was let go of. TIMEOUT: the time is over.
    Error wait(WholeAdapter& root) TENON_REQUIRES(root.mutex_);
    /// What was waited for has come. An error: the call is no longer wanted. Takes no lock.
    Error end();

   private:
    protocol::IncomingCall* call_ = nullptr;
    Deadline until_;
    std::optional<orb::WaitingInUpcall> waiting_;
  };

  // --- requests (whole_adapter.cpp) ---
  void find_and_upcall(protocol::IncomingCall& call) final;
  /// The slot for that key, pinned; null when there is none. Takes no lock.
  Slot* pin(const ObjectKey& key) noexcept;
  Slot* pin_in(PoaEntry& entry, const ObjectKey& key) noexcept;
  /// As pin(); null also when the POA's gate is shut.
  Slot* pin_open(const ObjectKey& key, std::uint32_t ignored_gates = 0) noexcept;
  bool belongs(const Slot& slot, const ObjectKey& key) const noexcept;
  /// Of a request that may not run at once. Waits while the POA's manager holds requests or the POA is being made. Returns the slot, pinned,
  /// or null and the reason.
  virtual Slot* wait_and_pin(protocol::IncomingCall& call, const ObjectKey& key, Error& why);
  /// The pinned slot, if its POA lets the request run as it has come; else null, and why. It is then not pinned any more.
  Slot* admitted(const protocol::IncomingCall& call, Slot& pinned, Error& why) noexcept;
  Slot* pin_when_open(const ObjectKey& key, Patience& patience, Error& why) TENON_REQUIRES(mutex_);
  /// What the state of that manager means for a request: it may run, it has waited and must be looked at again, or it is refused.
  enum class Pass : std::uint8_t { open, again, refused };
  Pass pass(const Manager& manager, Patience& patience, Error& why) TENON_REQUIRES(mutex_);
  /// By the servant, or a servant locator's.
  void upcall_in(protocol::IncomingCall& call, Running& running);
  void serve(protocol::IncomingCall& call, Slot& pinned, const ObjectKey& key);
  bool is_down() const noexcept;

  // --- servant managers and turns (manage.cpp) ---
  /// The object's slot, pinned, or null and why there is none.
  Slot* incarnate(protocol::IncomingCall& call, WholePoa& poa, ByteView id, Supplied& refusal);
  void give_back(WholePoa& poa, ByteView id, Servant& servant) TENON_REQUIRES(mutex_);
  /// Puts what the activator supplied into the map, unless the object is active by now; pinned.
  Slot* retain(WholePoa& poa, ByteView id, Supplied& supplied) TENON_REQUIRES(mutex_);
  void upcall_by_locator(protocol::IncomingCall& call, Running& running);
  void etherealize(Slot& slot) noexcept TENON_EXCLUDES(mutex_);
  /// The thread that has the POA's turn etherealizes the object; if there is none, this one does.
  void leave_to_turn(Slot& slot) noexcept TENON_EXCLUDES(mutex_);
  void etherealize_in_turn(Slot& slot) noexcept TENON_EXCLUDES(mutex_);
  /// Waits for the end of a closing slot (spuriously, too). BAD_INV_ORDER when that would be a wait for the current thread.
  Error await_end(WholePoa& poa, const Slot& closing, ByteView id, Patience& patience) TENON_REQUIRES(mutex_);
  /// The same until no slot of that id is closing.
  Error await_end_of(WholePoa& poa, ByteView id) TENON_REQUIRES(mutex_);
  bool upcall_on_main(protocol::IncomingCall& call, const ObjectKey& key);
  void upcall_in_turn(protocol::IncomingCall& call, Running& running);
  /// Both, once enable_thread_policies() has been called; null: no POA has such a policy.
  struct Threads {
    bool (WholeAdapter::*upcall_on_main)(protocol::IncomingCall& call, const ObjectKey& key);
    void (WholeAdapter::*upcall_in_turn)(protocol::IncomingCall& call, Running& running);
  };
  static const Threads all_threads;
  static std::atomic<const Threads*> threads;
  friend void enable_thread_policies() noexcept;
  Error take_turn(WholePoa& poa, Patience& patience);
  void give_turn(WholePoa& poa) noexcept;
  /// Runs code of the application as the POA's thread policy says.
  Error run_by_policy(WholePoa& poa, Patience& patience, FunctionRef<void()> code);
  orb::MainWork& main_work() noexcept;
  struct Ending;

  // --- adapter activators (activation.cpp), with the mutex held, which is let go of meanwhile ---
  /// An unknown_adapter() that has not returned. On the stack of its thread.
  struct Activation {
    std::thread::id thread;
    OwnText path;  ///< of the POA that is to be made
    Activation* next;
  };
  /// Whether that thread is inside an unknown_adapter() for the POA, or one above it.
  bool is_activating(std::string_view path, std::thread::id thread) const noexcept TENON_REQUIRES(mutex_);
  /// An unknown_adapter() of that thread has returned, which may have made this POA and those below it.
  void end_activation(WholePoa& made, std::thread::id thread) noexcept TENON_REQUIRES(mutex_);
  enum class Asked : std::uint8_t { again, no };
  Asked activate_child(WholePoa& parent, std::string_view name, Patience& patience, Error& why)
      TENON_REQUIRES(mutex_);
  /// The first POA that is missing on the way.
  Asked activate_path(std::string_view path, Patience& patience, Error& why) TENON_REQUIRES(mutex_);
  /// All of it, if an adapter activator has ever been set: a program that sets none links none of it.
  struct Activating {
    Asked (WholeAdapter::*child)(WholePoa&, std::string_view, Patience&, Error&);
    Asked (WholeAdapter::*path)(std::string_view, Patience&, Error&);
    void (WholeAdapter::*join)(WholePoa&) noexcept;
  };
  static const Activating activating;
  /// Whether an activator may have made the POA, so that it must be looked for again.
  bool activated(std::string_view path, Patience& patience, Error& why) TENON_REQUIRES(mutex_) {
    return activating_ != nullptr && (this->*activating_->path)(path, patience, why) == Asked::again;
  }
  /// A POA that is made inside unknown_adapter() takes no requests of other threads until that returns.
  void join_activation(WholePoa& made) noexcept TENON_REQUIRES(mutex_);
  /// True while unknown_adapter() makes the POA on another thread: requests of the current thread have to wait.
  static bool held_back(const WholePoa& poa) noexcept;

  // --- the life of POAs (whole_life.cpp) ---
  /// Etherealizes the object if that is due, else releases.
  void finish(Slot& slot) noexcept final TENON_EXCLUDES(mutex_);
  void destroy(Poa& poa, bool etherealize, bool wait) final;
  void etherealize_all(const Manager& manager) final TENON_EXCLUDES(mutex_);
  void manager_changed(const Manager& manager, ManagerState state) final;
  Status make_root() final TENON_EXCLUDES(mutex_);
  /// Null: there is no memory for it.
  Ref<Manager> make_manager() TENON_EXCLUDES(mutex_);

  // with the mutex held:
  WholePoa* find_poa(const ObjectKey& key) const noexcept final TENON_REQUIRES(mutex_);
  /// The POA with that path, of that hash, below the root; null: there is none.
  WholePoa* find_path(std::string_view path, std::uint64_t hash) const noexcept TENON_REQUIRES(mutex_);
  /// add(), the ways to it by its path and from its parent. NO_MEMORY: nothing has happened.
  Status enter(WholePoa& poa) noexcept TENON_REQUIRES(mutex_);
  /// The POA has its place, and nobody has seen it yet.
  virtual void entered(WholePoa&) noexcept TENON_REQUIRES(mutex_) {}
  Manager* manager_of(std::string_view id) const noexcept TENON_REQUIRES(mutex_);
  void know(const Ref<Manager>& manager, bool goes_with_poas) noexcept TENON_REQUIRES(mutex_);
  /// Takes a manager out of the list; the reference must be dropped after the mutex is released.
  Ref<Manager> forget(const Manager& manager) noexcept TENON_REQUIRES(mutex_);
  /// `end`: that of the list of what has been taken, by WholePoa::next_taken_.
  void take_tree_out(WholePoa& poa, bool etherealize, WholePoa**& end) noexcept TENON_REQUIRES(mutex_);
  Drained drain(Poa& poa) noexcept override TENON_REQUIRES(mutex_);

  orb::MainWork own_main_work_;  // where there is no ORB
  IdTable paths_;                // all POAs but the root, by the hash of their path
  // guarded by the mutex:
  Named own_named_{&Poa::find_named, nullptr, nullptr, {}};  // WholePoa ends ids, and this class its pool
  Manager* managers_ = nullptr;                              // by Manager::next_known_
  Manager** managers_end_ = &managers_;
  std::uint64_t next_manager_ = 1;
  const Activating* activating_ = nullptr;
  Activation* activations_ = nullptr;
  unsigned held_ = 0;
  unsigned held_most_ = held_most;
  std::atomic<bool> has_moving_references_{false};
};

inline WholeAdapter& WholePoa::root() const noexcept { return static_cast<WholeAdapter&>(*root_); }

/// For orb::Parts: the adapter of an ORB with POAs of every kind; null: there is no memory for it.
orb::Adapter* make_whole_adapter(orb::Orb& orb);

}  // namespace tenon::poa
