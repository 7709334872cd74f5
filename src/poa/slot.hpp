// SPDX-License-Identifier: Apache-2.0
//
// One place of a POA's active object map, and the lock-free gate in front of its servant.
//
//   word   63 .. 32    31            30        29        28       27        26 .. 0
//        +-----------+-------------+---------+---------+--------+---------+--------+
//        | generation| etherealize | watched | closing | active | cleanup | upcalls|
//        +-----------+-------------+---------+---------+--------+---------+--------+
//
//   active       upcalls may start (pin)
//   closing      deactivated; the thread that takes the upcalls to 0, by unpinning or by closing, finishes the deactivation
//   etherealize  with closing: the servant activator is told at the end
//   cleanup      with etherealize: because the POA or its manager ends
//   watched      a thread waits for the upcalls to end: unpin says so
//   none         free
//
// Invariants: the memory of a slot outlives every reader (chunks are recycled, never freed, while the adapter lives), and its
// generation never goes back, so that a stale key never matches. The other fields are written while the slot is free, and read
// only under a pin or under the adapter's mutex.
#pragma once

#include <atomic>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string_view>

#include "base/bytes.hpp"
#include "base/stable_array.hpp"
#include "poa/servant.hpp"

namespace tenon::poa {

class Poa;

/// A user id, or a system id that has no slot of its own: immutable octets with their hash.
struct IdText {
  std::uint64_t hash;
  std::uint32_t size;

  ByteView bytes() const noexcept { return {reinterpret_cast<const std::uint8_t*>(this + 1), size}; }
  bool is(ByteView other, std::uint64_t its_hash) const noexcept {
    return hash == its_hash && size == other.size() &&
           (size == 0 || std::memcmp(this + 1, other.data(), size) == 0);
  }
  std::string_view text() const noexcept { return {reinterpret_cast<const char*>(this + 1), size}; }
  std::uint8_t* octets() noexcept { return reinterpret_cast<std::uint8_t*>(this + 1); }
  /// Null: there is no memory for it.
  static IdText* make(ByteView octets) noexcept;
  /// So many octets, which the caller sets before the hash. Null: as make() says.
  static IdText* make(std::size_t size) noexcept;
  static void drop(IdText* id) noexcept;
  struct Drop {
    void operator()(IdText* id) const noexcept { drop(id); }
  };
};

/// One that is dropped at the end of its scope.
using OwnText = std::unique_ptr<IdText, IdText::Drop>;

/// Marks the slot of a default servant or a servant manager, which no id leads to.
inline constinit IdText no_id{0, 0};

/// In a cache line of its own: with a million slots nearly every one that is looked up must be fetched from memory.
struct alignas(64) Slot {
  static constexpr std::uint64_t count_mask = (std::uint64_t{1} << 27) - 1;
  static constexpr std::uint64_t cleanup = std::uint64_t{1} << 27;
  static constexpr std::uint64_t active = std::uint64_t{1} << 28;
  static constexpr std::uint64_t closing = std::uint64_t{1} << 29;
  static constexpr std::uint64_t watched = std::uint64_t{1} << 30;
  static constexpr std::uint64_t etherealize = std::uint64_t{1} << 31;

  std::atomic<std::uint64_t> word{std::uint64_t{1} << 32};
  Servant* servant = nullptr;  ///< null: the POA's servant manager stands in
  Poa* poa = nullptr;
  IdText* id = nullptr;     ///< null: the system id {index, generation}
  std::uint32_t index = 0;  ///< its own place
  std::uint32_t next = 0;  ///< of a free slot, or one whose end is due: the next such (index + 1), 0 for none
  std::uint32_t next_by_servant = 0;  ///< in a chain of ServantIndex, likewise
  // In the ring of the slots that have the same servant, likewise; 0: it is in none.
  std::uint32_t next_same = 0;
  std::uint32_t before_same = 0;

  std::uint32_t generation() const noexcept {
    return static_cast<std::uint32_t>(word.load(std::memory_order_relaxed) >> 32);
  }
  bool is_free() const noexcept { return (word.load(std::memory_order_relaxed) & (active | closing)) == 0; }
  bool is_active() const noexcept { return (word.load(std::memory_order_relaxed) & active) != 0; }

  /// Starts an upcall if the slot is active in that generation. The order with the gate of the POA is sequential: a thread that
  /// shuts a gate and then looks at the slots sees every upcall that did not see the shut gate.
  bool pin(std::uint32_t wanted) noexcept {
    std::uint64_t seen = word.load(std::memory_order_relaxed);
    do {
      const std::uint64_t differs = seen ^ (std::uint64_t{wanted} << 32 | active);
      if ((differs & ~(count_mask | watched)) != 0) return false;
    } while (
        !word.compare_exchange_weak(seen, seen + 1, std::memory_order_seq_cst, std::memory_order_relaxed));
    return true;
  }
  /// As pin(), in whatever generation the slot is: the caller must check what it has pinned.
  bool pin_any() noexcept { return pin(generation()); }

  /// Ends an upcall. True: the caller must call RootAdapter::settle(): a thread waits, or the deactivation is to be finished.
  bool unpin(bool& last_of_closing) noexcept {
    const std::uint64_t before = word.fetch_sub(1, std::memory_order_seq_cst);
    if ((before & (closing | watched)) == 0) [[likely]]
      return false;
    last_of_closing = (before & closing) != 0 && (before & count_mask) == 1;
    return last_of_closing || (before & watched) != 0;
  }
};

using SlotArray = StableArray<Slot, 2, 25, memory::Kind::objects>;

}  // namespace tenon::poa
