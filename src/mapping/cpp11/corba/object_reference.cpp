// SPDX-License-Identifier: Apache-2.0
//
// Weak references: the block outlives the object and says whether it still lives.
#include "tenon/corba/object_reference.hpp"

namespace CORBA {
inline namespace cpp11 {

bool WeakBlock::add_strong() noexcept {
  while (locked_.exchange_acquire(true)) {}
  const bool alive = object_ != nullptr && object_->_add_ref_if_alive();
  locked_.release(false);
  return alive;
}

void WeakBlock::object_goes() noexcept {
  while (locked_.exchange_acquire(true)) {}
  object_ = nullptr;
  gone_.release(true);
  locked_.release(false);
  drop();
}

WeakBlock* Counted::_weak_block() {
  WeakBlock* block = weak_.acquire();
  if (block == nullptr) {
    auto* fresh = new WeakBlock(this);
    if (weak_.replace(block, fresh)) {
      block = fresh;
    } else {
      fresh->drop();
    }
  }
  block->add();
  return block;
}

void Counted::destroy() noexcept {
  if (WeakBlock* block = weak_.acquire()) block->object_goes();
  delete this;
}

}  // namespace cpp11
}  // namespace CORBA
