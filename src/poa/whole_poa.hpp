// SPDX-License-Identifier: Apache-2.0
//
// A POA with all that the standard gives it: children, policies, ids of users and ids that persist, default servants, servant managers, turns
// (CORBA 3.4 part 1 §15.3.9). Threads and locks: see poa.hpp.
#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <thread>
#include <vector>

#include "poa/poa.hpp"
#include "poa/servant_manager.hpp"
#include "poa/turn.hpp"

namespace tenon::poa {

class WholeAdapter;

/// What a POA that is being made has besides the policies that the adapter knows.
struct PoaExtras {
  orb::OwnPoliciesRef own_policies;             ///< null: none
  std::vector<orb::ExtraComponent> components;  ///< of its references
  bool secured = false;                         ///< its policies say how requests have to come (secured.hpp)
};

/// Makes the references of a POA in its place, for the mapping: the engine never calls it. Code of the application may stand behind it, and
/// throw. Any thread, no lock is held.
class ReferenceMaker {
 public:
  virtual ~ReferenceMaker() = default;
  virtual Ref<orb::Reference> make(std::string_view type_id, ByteView id) = 0;
};

class WholePoa final : public Poa {
 public:
  ~WholePoa() override;

  WholeAdapter& root() const noexcept;
  /// Components that its references have in addition.
  const std::vector<orb::ExtraComponent>& components() const noexcept { return components_; }
  /// Null: the ORB makes its references.
  std::shared_ptr<ReferenceMaker> reference_maker() const;
  /// Before any other thread sees the POA. Its end lets go of the maker, which may hold the POA.
  void set_reference_maker(std::shared_ptr<ReferenceMaker> maker);
  WholePoa* parent() const noexcept { return parent_.get(); }  ///< null in the root POA

  /// How many there are, in no certain order; as many as fit are put into `into`.
  std::size_t children(std::span<Ref<WholePoa>> into) const;
  /// If `manager` is null, the POA gets a new one in the holding state.
  Outcome<Ref<WholePoa>> create_child(std::string_view name, Ref<Manager> manager, const Policies& policies,
                                      PoaExtras&& extras = {});
  /// With `activate`, the adapter activator is asked for a POA that is not there. NO_MEMORY.
  Outcome<Ref<WholePoa>> find_child(std::string_view name, bool activate = false);
  // destroy(): destroys the children too. With `wait`, returns after the upcalls that run and the etherealizations that follow. With
  // `etherealize`, servant activators are told of all objects.

  Ref<AdapterActivator> activator() const;
  Outcome<void> set_activator(Ref<AdapterActivator> activator);

  // --- the active object map ---
  Outcome<ObjectId> servant_to_id(Servant& servant) override;
  Outcome<Ref<Servant>> id_to_servant(ByteView id) const override;

  // --- servant manager: the one of the two kinds that the policies ask for, once ---
  Outcome<void> set_manager(Ref<ServantActivator> manager);
  Outcome<void> set_manager(Ref<ServantLocator> manager);
  /// Null: none has been set.
  Outcome<Ref<ServantManager>> get_manager() const;

  // --- default servant ---
  Outcome<void> set_servant(Servant* servant);
  Outcome<Ref<Servant>> get_servant() const;

  // --- keys ---
  Outcome<Octets> key_with_id(ByteView id) const;  ///< create_reference_with_id
  Outcome<Octets> make_key(ByteView id) const override;
  /// The same, for code that may have the POA before it is made and after its end. BAD_INV_ORDER, OBJECT_NOT_EXIST.
  Outcome<Octets> key_while_it_lives(ByteView id) const;

 private:
  friend class Poa;
  friend class RootAdapter;
  friend class WholeAdapter;
  friend class GuardedAdapter;

  /// What requests of a POA with a servant manager need: a program that sets none links none of it.
  struct Managed;
  static const Managed by_activator;
  static const Managed by_locator;

  /// `path`: its parent's, its name and a NUL; null: it is a root POA.
  WholePoa(Ref<RootAdapter> root, Ref<WholePoa> parent, OwnText path, Ref<Manager> manager,
           const Policies& policies, PoaExtras&& extras = {});
  /// Makes one of these and asks the observer, whose error is put into `refused`. Null, and NO_MEMORY in `refused`: there is none.
  static Ref<WholePoa> make(WholeAdapter& adapter, WholePoa* parent, OwnText path, Ref<Manager> manager,
                            const Policies& policies, PoaExtras&& extras, Error& refused);
  std::string_view path_text() const noexcept {
    return path_ != nullptr ? path_->text() : std::string_view();
  }

  /// With its hash. Null: there is no memory for it.
  OwnText path_of_child(std::string_view name) const noexcept;

  // with the adapter's mutex held:
  Slot* find_slot(ByteView id) const noexcept override;
  Slot* find_by_comparing(ByteView id) const noexcept;
  /// The slot that a system id names, even while it is being deactivated.
  Slot* closing_slot_of(ByteView id) const noexcept;
  /// A slot of that id that is being deactivated; only where a servant activator must hear of its end first.
  Slot* find_closing(ByteView id) const noexcept;
  Slot* fallback() const noexcept;
  void free_slot(Slot& slot) noexcept override;
  Outcome<Slot*> activate_new(Servant& servant) override;
  enum class Naming : std::uint8_t {
    slot,  ///< the system id of the slot itself
    none,  ///< a default servant or a servant manager
  };
  /// Puts the servant into a free slot. NO_RESOURCES, NO_MEMORY: nothing has happened.
  Outcome<Slot*> occupy(Servant* servant, Naming naming);
  Outcome<void> set_manager(Ref<ServantActivator> activator, Ref<ServantLocator> locator,
                            const Managed& managed);
  bool close(Slot& slot, std::uint64_t ending) noexcept override;
  void let_go() noexcept override;
  /// Whether an activation under that id has to wait for the end of an earlier one.
  bool keeps_closing_ids() const noexcept { return managed_ != nullptr && policies_.has_activator(); }

  const Ref<WholePoa> parent_;
  const OwnText path_;  // with its hash
  const orb::OwnPoliciesRef own_policies_;
  std::vector<orb::ExtraComponent> components_;  // set before any other thread sees the POA
  Turn turn_;
  // Set once, before the slot that stands for them becomes active; read while that is pinned.
  const Managed* managed_ = nullptr;
  Ref<ServantActivator> servant_activator_;
  Ref<ServantLocator> servant_locator_;
  bool has_maker_ = false;  // as components_

  // guarded by the adapter's mutex:
  std::shared_ptr<ReferenceMaker> maker_;
  // Its children, which are found by their paths (WholeAdapter::find_path()), and its place among those of its parent:
  WholePoa* first_child_ = nullptr;
  WholePoa* next_sibling_ = nullptr;
  WholePoa** sibling_linked_by_ = nullptr;
  Ref<AdapterActivator> activator_;
  unsigned in_manager_ = 0;  // calls of the servant activator on the stack of the thread that has the turn
  std::thread::id activated_by_;  // the thread whose unknown_adapter() has not returned yet
  // In the list of those that WholeAdapter::destroy() has taken out, with one reference; used by its thread alone.
  WholePoa* next_taken_ = nullptr;
  std::uint32_t ended_slots_ = 0;  // what Poa::end_all() returned
  bool drained_there_ = false;     // and the adapter's reference is to be dropped
};

inline WholePoa* Poa::whole() noexcept { return whole_ ? static_cast<WholePoa*>(this) : nullptr; }
inline const WholePoa* Poa::whole() const noexcept {
  return whole_ ? static_cast<const WholePoa*>(this) : nullptr;
}

}  // namespace tenon::poa
