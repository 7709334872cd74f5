// SPDX-License-Identifier: Apache-2.0
//
// In which slot a servant is active, for POAs with UNIQUE_ID: chains of slots by the servant's address. Guarded by the adapter's mutex.
#pragma once

#include <cstdint>
#include <memory>

#include "poa/slot.hpp"

namespace tenon::poa {

class ServantIndex {
 public:
  /// Makes room for one more, so that the next add() allocates nothing.
  void reserve_one(const SlotArray& slots);
  void add(Slot& slot) noexcept;
  /// Does nothing if the slot is not here.
  void remove(const Slot& slot, const SlotArray& slots) noexcept;
  /// Null: the servant is active nowhere.
  Slot* find(const Servant& servant, const SlotArray& slots) const noexcept;

 private:
  std::uint32_t& chain_of(const Servant& servant) const noexcept;

  std::unique_ptr<std::uint32_t[]> chains_;  // slot index + 1 of the first
  std::uint32_t count_of_chains_ = 0;        // a power of two
  std::uint32_t used_ = 0;
};

}  // namespace tenon::poa
