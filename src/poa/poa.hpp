// SPDX-License-Identifier: Apache-2.0
//
// A portable object adapter (CORBA 3.4 part 1 §15.3.9): its policies and its active object map. It deals in object keys and servants; code
// that knows the ORB makes references of keys.
//
// This class is the root POA of an ORB that has no other, and what all POAs have in common. What only other POAs can have (children,
// ids of users, servant managers, default servants, turns) is in WholePoa (whole_poa.hpp), which a program links if its start-up
// names tenon::parts::poa; an ORB whose root POA is one has only such POAs. The pure functions of Poa that have a body are what the root
// POA does where it is alone (LonePoa), so that a program with WholePoas links none of them.
//
// Any thread. One mutex for all POAs of an ORB orders changes; upcalls take it only off the main path (see root_adapter.hpp).
// A servant is released outside the mutex, when its last upcall has ended.
#pragma once

#include <atomic>
#include <string_view>

#include "base/ref.hpp"
#include "base/stable_array.hpp"
#include "orb/orb.hpp"
#include "poa/fault.hpp"
#include "poa/id_table.hpp"
#include "poa/manager.hpp"
#include "poa/object_key.hpp"
#include "poa/policies.hpp"
#include "poa/servant.hpp"
#include "poa/servant_index.hpp"
#include "poa/slot.hpp"

namespace tenon::poa {

class WholePoa;

/// A POA's place in the ORB's table: what upcalls reach without a lock. Outlives the POA and serves another one after it.
struct PoaEntry {
  SlotArray slots;
  IdTable ids;
  std::atomic<std::uint32_t> fallback{0};  ///< slot index + 1 of the default servant or servant manager
  std::atomic<bool> linear{false};         ///< ids are compared one by one, under the adapter's mutex
  Poa* poa = nullptr;                      ///< guarded by the adapter's mutex
  PoaEntry* next_free = nullptr;           ///< likewise
  std::uint32_t index = 0;
};

struct Frame;

class Poa : public RefCounted {
 public:
  ~Poa() override;

  std::string_view name() const noexcept { return name_; }
  const Policies& policies() const noexcept { return policies_; }
  Manager& manager() const noexcept { return *manager_; }
  RootAdapter& root() const noexcept { return *root_; }
  /// There are rules of access for it.
  bool is_guarded() const noexcept { return (gate_.load(std::memory_order_relaxed) & guarded) != 0; }

  /// Null: this is the root POA of an ORB that has no other.
  WholePoa* whole() noexcept;
  const WholePoa* whole() const noexcept;
  // Of a root POA without others, these say that there is nothing:
  /// Names below the root, each followed by NUL.
  std::string_view path() const noexcept;
  /// Policies that only the program knows; null: none.
  orb::OwnPoliciesRef own_policies() const noexcept;
  /// The POA's identity (attribute id): unique among the POAs of this ORB. A persistent POA has the same one after a restart.
  Outcome<Octets> id() const;

  /// Upcalls that run go on to their end; with `wait`, returns after that. As WholePoa::destroy() says, if this is one.
  Outcome<void> destroy(bool etherealize, bool wait);

  // --- the active object map ---
  Outcome<ObjectId> activate(Servant& servant);
  /// Under an id that is the program's own, or one that the POA has made: for a reference without a servant, or for an object that is no
  /// longer active. With a servant activator, waits for the end of the object's last incarnation.
  Outcome<void> activate_with_id(ByteView id, Servant& servant);
  /// Returns at once; the servant is etherealized and released when its last upcall has ended.
  Outcome<void> deactivate(ByteView id);
  virtual Outcome<ObjectId> servant_to_id(Servant& servant) = 0;
  virtual Outcome<Ref<Servant>> id_to_servant(ByteView id) const = 0;

  // --- keys ---
  Outcome<Octets> new_key();                         ///< create_reference
  Outcome<Octets> key_of(Servant& servant);          ///< servant_to_reference
  Outcome<Octets> key_of_active(ByteView id) const;  ///< id_to_reference
  Outcome<ObjectId> id_of(ByteView key) const;       ///< reference_to_id
  /// The key for an id, unchecked. NO_MEMORY.
  virtual Outcome<Octets> make_key(ByteView id) const;

  /// Whether destroy() has been called, or its ORB has been shut down.
  bool is_destroyed() const noexcept { return (gate_.load(std::memory_order_relaxed) & destroyed) != 0; }

  /// The mapping's object for this POA. Guarded by the mapping.
  void* face = nullptr;

 protected:
  friend class RootAdapter;
  friend class WholeAdapter;
  friend class GuardedAdapter;
  friend class Manager;

  /// Reasons not to start an upcall at once; 0 lets it pass.
  enum Gate : std::uint32_t {
    holding = 1,
    discarding = 2,
    inactive = 3,
    destroyed = 4,
    serial = 8,       ///< SINGLE_THREAD_MODEL
    on_main = 16,     ///< MAIN_THREAD_MODEL
    activating = 32,  ///< its adapter activator has not returned yet
    guarded = 64,     ///< there are rules of access (access/guarded_adapter.hpp)
    secured = 128,    ///< requests are asked how they came (secured.hpp)
  };

  /// `name` lasts as long as the POA.
  Poa(Ref<RootAdapter> root, std::string_view name, Ref<Manager> manager, const Policies& policies,
      bool whole = false);

  // with the adapter's mutex held:
  Fault gone() const noexcept;
  void refresh_gate() noexcept;
  /// The slot of that id: an active one, or, where ids are kept until then, one that is being deactivated.
  virtual Slot* find_slot(ByteView id) const noexcept;
  Slot* find_active(ByteView id) const noexcept;
  // Ids that are kept beside the slot (activate_with.cpp):
  static Slot* find_named(const Poa& poa, ByteView id) noexcept;
  static void forget_named(Poa& poa, Slot& slot) noexcept;
  /// Whether the system made that id for this POA; of a persistent POA also in an earlier process.
  bool made_here(ByteView id) const noexcept;
  /// Puts the servant into a free slot, with that id beside it. NO_RESOURCES, NO_MEMORY: nothing has happened.
  Outcome<Slot*> occupy_named(Servant* servant, ByteView id);
  /// A free slot, and room to find it by its servant. It stays free until place(). NO_RESOURCES: the ORB's limit of objects is reached, or
  /// there is no number left for one; NO_MEMORY.
  Outcome<Slot*> room_for(const Servant* servant) noexcept;
  /// Puts the servant into that slot, which takes the id.
  void place(Slot& slot, Servant* servant, IdText* id) noexcept;
  virtual void free_slot(Slot& slot) noexcept;
  virtual Outcome<Slot*> activate_new(Servant& servant) = 0;
  Outcome<ObjectId> id_of_slot(const Slot& slot) const;
  /// Whether slots are found by their servants: active ones, and with a servant activator those that are being deactivated, too.
  bool indexes_servants() const noexcept { return policies_.unique() || policies_.has_activator(); }
  /// Stops upcalls from starting. True: none runs, and the caller finishes the slot after it has let go of the mutex. `ending`: bits of
  /// the slot's word.
  virtual bool close(Slot& slot, std::uint64_t ending) noexcept;
  /// Closes all slots but that of a servant manager. Returns those that the caller finishes, chained by Slot::next, as index + 1.
  std::uint32_t close_all(std::uint64_t ending) noexcept;
  /// The same, for good. `etherealize`: a servant activator, if there is one, is told of all objects.
  std::uint32_t end_all(bool etherealize) noexcept;
  /// No thread uses the POA any more: it lets go of the application's objects, which may hold it. Without the mutex.
  virtual void let_go() noexcept {}
  /// The frame of this thread's innermost upcall, if it is one of this POA on that servant.
  const Frame* running(const Servant& servant) const noexcept;
  bool is_active(const Servant& servant) const noexcept {
    return by_servant_.find_active(servant, entry_->slots) != nullptr;
  }

  const Ref<RootAdapter> root_;
  const std::string_view name_;
  const Policies policies_;
  const Ref<Manager> manager_;
  const bool whole_;
  PoaEntry* entry_ = nullptr;
  std::uint64_t stamp_ = 0;
  std::atomic<std::uint32_t> gate_{holding};

  // guarded by the adapter's mutex:
  ServantIndex by_servant_;  // see indexes_servants()
  // Its place among the adapter's POAs, until it is drained, and among those of its manager, until it is destroyed:
  Poa* next_ = nullptr;
  Poa** linked_by_ = nullptr;
  Poa* next_of_manager_ = nullptr;
  std::uint32_t first_free_ = 0;     // slot index + 1
  std::uint32_t grown_ = 0;          // slots that have ever been used
  std::uint32_t live_ = 0;           // slots that are not free
  std::uint64_t serials_ = 0;        // ids that were made without a slot
  std::uint32_t own_gate_ = 0;       // what the gate has besides what its manager's state says; of a WholePoa
  std::uint64_t ending_of_one_ = 0;  // bits of the word of a slot that is deactivated; of a WholePoa
  std::uint64_t ending_ = 0;  // the same of slots that end_all() has closed, and of those that come after it
  bool ended_ = false;        // end_all() has been called
  bool destroyed_ = false;
  bool drained_ = false;
};

}  // namespace tenon::poa
