// SPDX-License-Identifier: Apache-2.0
//
// In which slots a servant is: chains by the servant's address, of one slot for each servant, which is in a ring with the others that have
// the same one. For POAs with UNIQUE_ID, and those whose servant activator is told of a servant's last slot. Guarded by the adapter's mutex.
#pragma once

#include <cstdint>

#include "poa/slot.hpp"

namespace tenon::poa {

class ServantIndex {
 public:
  ServantIndex() = default;
  ServantIndex(const ServantIndex&) = delete;
  ServantIndex& operator=(const ServantIndex&) = delete;
  ~ServantIndex();

  /// Makes room for one more, so that the next add() allocates nothing. False: there is no memory for it.
  [[nodiscard]] bool reserve_one(const SlotArray& slots) noexcept;
  void add(Slot& slot, const SlotArray& slots) noexcept;
  /// Does nothing if the slot is not here. True: the servant is in others.
  bool remove(Slot& slot, const SlotArray& slots) noexcept;
  /// One of the servant's slots; null: there is none.
  Slot* find(const Servant& servant, const SlotArray& slots) const noexcept;
  /// The one that is active.
  Slot* find_active(const Servant& servant, const SlotArray& slots) const noexcept;

 private:
  std::uint32_t& chain_of(const Servant& servant) const noexcept;

  std::uint32_t* chains_ = nullptr;    // slot index + 1 of the first
  std::uint32_t count_of_chains_ = 0;  // a power of two
  std::uint32_t used_ = 0;             // servants
};

}  // namespace tenon::poa
