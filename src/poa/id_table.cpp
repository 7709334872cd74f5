// SPDX-License-Identifier: Apache-2.0
//
// The writer's side of the id table.
#include "poa/id_table.hpp"

#include <memory>
#include <new>
#include <utility>

#include "base/memory.hpp"

namespace tenon::poa {

IdTable::Pool::~Pool() {
  while (made_ != nullptr) memory::release(std::exchange(made_, made_->next_made));
}

IdTable::Cells* IdTable::Pool::take(unsigned bits) noexcept {
  if (bits >= 32) return nullptr;
  if (Cells* const taken = free_[bits]) {
    free_[bits] = taken->next_free;
    // Late readers of the former table may still look at these cells: hence release, see find().
    for (std::size_t i = 0; i <= taken->mask; ++i) taken->cell(i).store(0, std::memory_order_release);
    return taken;
  }
  const std::size_t count = std::size_t{1} << bits;
  void* const memory = memory::allocate(memory::Kind::objects, sizeof(Cells) + count * sizeof(std::uint64_t));
  if (memory == nullptr) return nullptr;
  made_ = new (memory) Cells{static_cast<std::uint32_t>(count - 1), bits, nullptr, made_};
  std::uninitialized_value_construct_n(&made_->cell(0), count);
  return made_;
}

bool IdTable::reserve_one(Pool& pool) noexcept {
  Cells* old = cells_.load(std::memory_order_relaxed);
  if (old != nullptr && (used_ + 1) * std::uint64_t{4} <= (old->mask + std::uint64_t{1}) * 3) return true;
  unsigned bits = old != nullptr ? old->size_bits : 3;
  // If many cells are erased, the size stays; else it doubles.
  while ((live_ + 1) * std::uint64_t{2} > (std::uint64_t{1} << bits)) ++bits;
  Cells* fresh = pool.take(bits);
  if (fresh == nullptr) return false;
  if (old != nullptr) {
    for (std::size_t i = 0; i <= old->mask; ++i) {
      const std::uint64_t cell = old->cell(i).load(std::memory_order_relaxed);
      if (static_cast<std::uint32_t>(cell) < 2) continue;
      auto place = static_cast<std::uint32_t>(cell >> 32) & fresh->mask;
      while (fresh->cell(place).load(std::memory_order_relaxed) != 0) place = (place + 1) & fresh->mask;
      fresh->cell(place).store(cell, std::memory_order_release);
    }
  }
  used_ = live_;
  cells_.store(fresh, std::memory_order_release);
  version_.fetch_add(1, std::memory_order_release);
  if (old != nullptr) pool.give(old);
  return true;
}

void IdTable::insert(std::uint64_t hash, std::uint32_t index) noexcept {
  Cells* cells = cells_.load(std::memory_order_relaxed);
  auto place = static_cast<std::uint32_t>(hash >> 32) & cells->mask;
  while (static_cast<std::uint32_t>(cells->cell(place).load(std::memory_order_relaxed)) >= 2) {
    place = (place + 1) & cells->mask;
  }
  if (cells->cell(place).load(std::memory_order_relaxed) == 0) ++used_;
  ++live_;
  cells->cell(place).store(cell_of(hash, index), std::memory_order_release);
}

void IdTable::erase(std::uint64_t hash, std::uint32_t index) noexcept {
  Cells* cells = cells_.load(std::memory_order_relaxed);
  if (cells == nullptr) return;
  const std::uint64_t wanted = cell_of(hash, index);
  for (std::uint32_t step = 0; step <= cells->mask; ++step) {
    std::atomic<std::uint64_t>& cell =
        cells->cell((static_cast<std::uint32_t>(hash >> 32) + step) & cells->mask);
    const std::uint64_t seen = cell.load(std::memory_order_relaxed);
    if (seen == 0) return;
    if (seen != wanted) continue;
    cell.store(erased, std::memory_order_release);
    --live_;
    return;
  }
}

void IdTable::give_back(Pool& pool) noexcept {
  if (Cells* old = cells_.exchange(nullptr, std::memory_order_acq_rel)) {
    version_.fetch_add(1, std::memory_order_release);
    pool.give(old);
  }
  used_ = live_ = 0;
}

}  // namespace tenon::poa
