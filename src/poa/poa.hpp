// SPDX-License-Identifier: Apache-2.0
//
// A portable object adapter (CORBA 3.4 part 1 §15.3.9): its policies, its children and its active object map. It deals in object
// keys and servants; references are made of keys by whoever knows the ORB.
//
// Any thread. One mutex for all POAs of an ORB orders changes; upcalls take it only off the main path (see root_adapter.hpp).
// A servant is released outside the mutex, when its last upcall has ended.
#pragma once

#include <pthread.h>

#include <atomic>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/ref.hpp"
#include "base/stable_array.hpp"
#include "poa/fault.hpp"
#include "poa/id_table.hpp"
#include "poa/manager.hpp"
#include "poa/object_key.hpp"
#include "poa/policies.hpp"
#include "poa/servant.hpp"
#include "poa/slot.hpp"

namespace tenon::poa {

using SlotArray = StableArray<Slot, 5, 22>;

/// A POA's place in the ORB's table: what upcalls reach without a lock. Outlives the POA and serves another one after it.
struct PoaEntry {
  SlotArray slots;
  IdTable ids;
  std::atomic<std::uint32_t> fallback{0};  ///< slot index + 1 of the default servant
  Poa* poa = nullptr;                      ///< guarded by the adapter's mutex
  std::uint32_t index = 0;
};

/// Held around upcalls of a SINGLE_THREAD_MODEL POA; the same thread may come again through a collocated call.
class SerialLock {
 public:
  SerialLock();
  SerialLock(const SerialLock&) = delete;
  SerialLock& operator=(const SerialLock&) = delete;
  ~SerialLock();
  void lock() noexcept { ::pthread_mutex_lock(&mutex_); }
  void unlock() noexcept { ::pthread_mutex_unlock(&mutex_); }

 private:
  pthread_mutex_t mutex_;
};

struct Frame;

class Poa final : public RefCounted {
 public:
  ~Poa() override;

  const std::string& name() const noexcept { return name_; }
  /// Names below the root, each followed by NUL.
  const std::string& path() const noexcept { return path_; }
  const Policies& policies() const noexcept { return policies_; }
  Manager& manager() const noexcept { return *manager_; }
  RootAdapter& root() const noexcept { return *root_; }
  Poa* parent() const noexcept { return parent_.get(); }  ///< null in the root POA
  /// The POA's identity (attribute id): unlike that of any other POA of this ORB; that of a persistent POA stays over restarts.
  Octets id() const;

  std::vector<Ref<Poa>> children() const;
  /// A null manager: a new one, holding.
  Outcome<Ref<Poa>> create_child(std::string_view name, Ref<Manager> manager, const Policies& policies);
  Outcome<Ref<Poa>> find_child(std::string_view name) const;
  /// Destroys the children too. Upcalls that run go on to their end; with `wait`, returns after that.
  Outcome<void> destroy(bool wait);

  // --- the active object map ---
  Outcome<ObjectId> activate(Servant& servant);
  Outcome<void> activate_with_id(ByteView id, Servant& servant);
  /// Returns at once; the servant is released when its last upcall has ended.
  Outcome<void> deactivate(ByteView id);
  Outcome<ObjectId> servant_to_id(Servant& servant);
  Outcome<Ref<Servant>> id_to_servant(ByteView id) const;

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

  /// What a mapping shows for it. Guarded by the mapping.
  void* face = nullptr;

 private:
  friend class RootAdapter;
  friend class Manager;

  /// Reasons not to start an upcall at once; 0 lets it pass.
  enum Gate : std::uint32_t { holding = 1, discarding = 2, inactive = 3, destroyed = 4, serial = 8 };

  Poa(Ref<RootAdapter> root, Ref<Poa> parent, std::string name, Ref<Manager> manager,
      const Policies& policies);

  // with the adapter's mutex held:
  Fault gone() const noexcept;
  void refresh_gate() noexcept;
  Slot* find_active(ByteView id) const noexcept;
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
  Outcome<Slot*> occupy(Servant& servant, Naming naming, ByteView id);
  Outcome<Slot*> activate_new(Servant& servant);
  bool made_here(ByteView id) const noexcept;
  ObjectId id_of_slot(const Slot& slot) const;
  /// Stops upcalls from starting. True: none runs, and the caller finishes the slot after it has let go of the mutex.
  bool close(Slot& slot) noexcept;
  /// The frame of this thread's innermost upcall, if it is one of this POA on that servant.
  const Frame* running(const Servant& servant) const noexcept;
  bool is_active(const Servant& servant) const noexcept {
    return servants_.find(&servant) != servants_.end();
  }

  const Ref<RootAdapter> root_;
  const Ref<Poa> parent_;
  const std::string name_;
  const std::string path_;
  const Policies policies_;
  const Ref<Manager> manager_;
  PoaEntry* entry_ = nullptr;
  std::uint64_t stamp_ = 0;
  std::atomic<std::uint32_t> gate_{holding};
  SerialLock serial_;

  // guarded by the adapter's mutex:
  std::map<std::string, Poa*, std::less<>> children_;
  std::unordered_map<const Servant*, Slot*>
      servants_;                  // UNIQUE_ID only; without those that are being deactivated
  std::uint32_t first_free_ = 0;  // slot index + 1
  std::uint32_t grown_ = 0;       // slots that have ever been used
  std::uint32_t live_ = 0;        // slots that are not free
  std::uint64_t next_serial_ = 1;
  bool destroyed_ = false;
  bool drained_ = false;
};

}  // namespace tenon::poa
