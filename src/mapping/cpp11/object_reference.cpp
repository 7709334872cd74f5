// SPDX-License-Identifier: Apache-2.0
//
// Weak references: the block outlives the object and says whether it still lives.
#include "mapping/cpp11/object_reference.hpp"

namespace CORBA {
inline namespace cpp11 {

bool WeakBlock::add_strong() noexcept {
  while (locked_.test_and_set(std::memory_order_acquire)) {}
  const bool alive = object_ != nullptr && object_->_add_ref_if_alive();
  locked_.clear(std::memory_order_release);
  return alive;
}

void WeakBlock::object_goes() noexcept {
  while (locked_.test_and_set(std::memory_order_acquire)) {}
  object_ = nullptr;
  gone_.store(true, std::memory_order_release);
  locked_.clear(std::memory_order_release);
  drop();
}

WeakBlock* Counted::_weak_block() {
  WeakBlock* block = weak_.load(std::memory_order_acquire);
  if (block == nullptr) {
    auto* fresh = new WeakBlock(this);
    if (weak_.compare_exchange_strong(block, fresh, std::memory_order_acq_rel)) {
      block = fresh;
    } else {
      fresh->drop();
    }
  }
  block->add();
  return block;
}

void Counted::destroy() noexcept {
  if (WeakBlock* block = weak_.load(std::memory_order_acquire)) block->object_goes();
  delete this;
}

}  // namespace cpp11
}  // namespace CORBA
