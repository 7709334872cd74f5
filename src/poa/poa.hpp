// SPDX-License-Identifier: Apache-2.0
//
// A portable object adapter (CORBA 3.4 part 1 §15.3.9): its policies, its children and its active object map. It deals in object
// keys and servants; code that knows the ORB makes references of keys.
//
// Any thread. One mutex for all POAs of an ORB orders changes; upcalls take it only off the main path (see root_adapter.hpp).
// A servant is released outside the mutex, when its last upcall has ended.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <unordered_map>
#include <vector>

#include "base/ref.hpp"
#include "base/stable_array.hpp"
#include "orb/orb.hpp"
#include "poa/fault.hpp"
#include "poa/id_table.hpp"
#include "poa/manager.hpp"
#include "poa/object_key.hpp"
#include "poa/policies.hpp"
#include "poa/servant.hpp"
#include "poa/servant_manager.hpp"
#include "poa/slot.hpp"
#include "poa/turn.hpp"

namespace tenon::poa {

/// A POA's place in the ORB's table: what upcalls reach without a lock. Outlives the POA and serves another one after it.
struct PoaEntry {
  SlotArray slots;
  IdTable ids;
  std::atomic<std::uint32_t> fallback{0};  ///< slot index + 1 of the default servant or servant manager
  std::atomic<bool> linear{false};         ///< ids are compared one by one, under the adapter's mutex
  Poa* poa = nullptr;                      ///< guarded by the adapter's mutex
  std::uint32_t index = 0;
};

struct Frame;

/// What a POA that is being made has besides the policies that the adapter knows.
struct PoaExtras {
  orb::OwnPoliciesRef own_policies;             ///< null: none
  std::vector<orb::ExtraComponent> components;  ///< of its references
};

/// Makes the references of a POA in its place. Code of the application may stand behind it, and throw. Any thread, no lock is held.
class ReferenceMaker {
 public:
  virtual ~ReferenceMaker() = default;
  virtual Ref<orb::Reference> make(std::string_view type_id, ByteView id) = 0;
};

class Poa final : public RefCounted {
 public:
  ~Poa() override;

  const std::string& name() const noexcept { return name_; }
  /// Names below the root, each followed by NUL.
  const std::string& path() const noexcept { return path_; }
  const Policies& policies() const noexcept { return policies_; }
  /// Policies that only the program knows; null: none.
  const orb::OwnPoliciesRef& own_policies() const noexcept { return own_policies_; }
  Manager& manager() const noexcept { return *manager_; }
  RootAdapter& root() const noexcept { return *root_; }
  /// Components that its references have in addition.
  const std::vector<orb::ExtraComponent>& components() const noexcept { return components_; }
  /// Null: the ORB makes its references.
  std::shared_ptr<ReferenceMaker> reference_maker() const;
  /// Before any other thread sees the POA. Its end lets go of the maker, which may hold the POA.
  void set_reference_maker(std::shared_ptr<ReferenceMaker> maker);
  Poa* parent() const noexcept { return parent_.get(); }  ///< null in the root POA
  /// The POA's identity (attribute id): unique among the POAs of this ORB. A persistent POA has the same one after a restart.
  Octets id() const;

  std::vector<Ref<Poa>> children() const;
  /// If `manager` is null, the POA gets a new one in the holding state.
  Outcome<Ref<Poa>> create_child(std::string_view name, Ref<Manager> manager, const Policies& policies,
                                 PoaExtras extras = {});
  /// With `activate`, the adapter activator is asked for a POA that is not there.
  Outcome<Ref<Poa>> find_child(const std::string& name, bool activate = false);
  /// Destroys the children too. Upcalls that run go on to their end; with `wait`, returns after that, and after the etherealizations
  /// that follow. With `etherealize`, servant activators are told of all objects.
  Outcome<void> destroy(bool etherealize, bool wait);

  Ref<AdapterActivator> activator() const;
  Outcome<void> set_activator(Ref<AdapterActivator> activator);

  // --- the active object map ---
  Outcome<ObjectId> activate(Servant& servant);
  Outcome<void> activate_with_id(ByteView id, Servant& servant);
  /// Returns at once; the servant is etherealized and released when its last upcall has ended.
  Outcome<void> deactivate(ByteView id);
  Outcome<ObjectId> servant_to_id(Servant& servant);
  Outcome<Ref<Servant>> id_to_servant(ByteView id) const;

  // --- servant manager: the one of the two kinds that the policies ask for, once ---
  Outcome<void> set_manager(Ref<ServantActivator> manager);
  Outcome<void> set_manager(Ref<ServantLocator> manager);
  /// Null: none has been set.
  Outcome<Ref<ServantManager>> get_manager() const;

  // --- default servant ---
  Outcome<void> set_servant(Servant* servant);
  Outcome<Ref<Servant>> get_servant() const;

  // --- keys ---
  Outcome<Octets> new_key();                         ///< create_reference
  Outcome<Octets> key_with_id(ByteView id) const;    ///< create_reference_with_id
  Outcome<Octets> key_of(Servant& servant);          ///< servant_to_reference
  Outcome<Octets> key_of_active(ByteView id) const;  ///< id_to_reference
  Outcome<ObjectId> id_of(ByteView key) const;       ///< reference_to_id
  /// The key for an id, unchecked.
  Octets make_key(ByteView id) const;
  /// The same, for code that may have the POA before it is made and after its end. BAD_INV_ORDER, OBJECT_NOT_EXIST.
  Outcome<Octets> key_while_it_lives(ByteView id) const;

  /// The mapping's object for this POA. Guarded by the mapping.
  void* face = nullptr;

 private:
  friend class RootAdapter;
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
  };

  Poa(Ref<RootAdapter> root, Ref<Poa> parent, std::string name, Ref<Manager> manager,
      const Policies& policies, PoaExtras extras = {});

  // with the adapter's mutex held:
  Fault gone() const noexcept;
  void refresh_gate() noexcept;
  /// The slot of that id: an active one, or, where keeps_closing_ids(), one that is being deactivated.
  Slot* find_slot(ByteView id) const noexcept;
  Slot* find_by_comparing(ByteView id) const noexcept;
  Slot* find_active(ByteView id) const noexcept;
  /// A slot of that id that is being deactivated; only where a servant activator must hear of its end first.
  Slot* find_closing(ByteView id) const noexcept;
  Slot* fallback() const noexcept;
  /// A free slot, or null when there is no number left for one. It stays free until occupy().
  Slot* free_slot_ahead();
  void free_slot(Slot& slot) noexcept;
  enum class Naming : std::uint8_t {
    slot,  ///< the system id of the slot itself
    text,  ///< an id of its own
    none,  ///< a default servant
  };
  /// Puts the servant into a free slot. May throw bad_alloc, and then nothing has happened.
  Outcome<Slot*> occupy(Servant* servant, Naming naming, ByteView id);
  Outcome<Slot*> activate_new(Servant& servant);
  Outcome<void> set_manager(Ref<ServantActivator> activator, Ref<ServantLocator> locator);
  bool made_here(ByteView id) const noexcept;
  ObjectId id_of_slot(const Slot& slot) const;
  /// Stops upcalls from starting. True: none runs, and the caller finishes the slot after it has let go of the mutex. `ending`: bits of
  /// the slot's word.
  bool close(Slot& slot, std::uint64_t ending) noexcept;
  /// Closes all slots but that of the servant manager, which close() itself may end.
  void end_all(bool etherealize, std::vector<Slot*>& to_finish);
  /// Whether an activation under that id has to wait for the end of an earlier one.
  bool keeps_closing_ids() const noexcept { return policies_.has_activator(); }
  bool tracks_servants() const noexcept { return policies_.unique() || policies_.has_activator(); }
  /// The servant has one activation less. True: it has others.
  bool forget(const Servant& servant) noexcept;
  /// The frame of this thread's innermost upcall, if it is one of this POA on that servant.
  const Frame* running(const Servant& servant) const noexcept;
  bool is_active(const Servant& servant) const noexcept {
    const auto found = servants_.find(&servant);
    return found != servants_.end() && found->second.active != nullptr;
  }

  const Ref<RootAdapter> root_;
  const Ref<Poa> parent_;
  const std::string name_;
  const std::string path_;
  const Policies policies_;
  const orb::OwnPoliciesRef own_policies_;
  const Ref<Manager> manager_;
  std::vector<orb::ExtraComponent> components_;  // set before any other thread sees the POA
  PoaEntry* entry_ = nullptr;
  std::uint64_t stamp_ = 0;
  std::atomic<std::uint32_t> gate_{holding};
  Turn turn_;
  // Set once, before the slot that stands for them becomes active; read while that is pinned.
  Ref<ServantActivator> servant_activator_;
  Ref<ServantLocator> servant_locator_;

  bool has_maker_ = false;  // as components_

  // guarded by the adapter's mutex:
  std::shared_ptr<ReferenceMaker> maker_;
  std::map<std::string, Poa*, std::less<>> children_;
  /// How often a servant is in the map, entries that are being deactivated included; and where it is active.
  struct Activations {
    Slot* active = nullptr;
    std::uint32_t count = 0;
  };
  std::unordered_map<const Servant*, Activations> servants_;  // where tracks_servants()
  Ref<AdapterActivator> activator_;
  std::uint32_t first_free_ = 0;  // slot index + 1
  std::uint32_t grown_ = 0;       // slots that have ever been used
  std::uint32_t live_ = 0;        // slots that are not free
  std::uint64_t next_serial_ = 1;
  bool ended_ =
      false;  // a servant that an activator supplies from now on ends after one upcall, with these bits:
  std::uint64_t ending_ = 0;
  unsigned in_manager_ = 0;  // calls of the servant activator on the stack of the thread that has the turn
  bool destroyed_ = false;
  bool drained_ = false;
  std::thread::id activated_by_;  // the thread whose unknown_adapter() has not returned yet
};

}  // namespace tenon::poa
