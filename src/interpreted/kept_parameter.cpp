// SPDX-License-Identifier: Apache-2.0
#include "interpreted/kept_parameter.hpp"

#include <cstddef>
#include <new>

#include "base/memory.hpp"
#include "mapping/cpp11/calls/kept.hpp"
#include "marshal/footprint.hpp"

namespace tenon::gen {

namespace {

/// What precedes a kept value in memory.
struct alignas(std::max_align_t) Head : KeptBlock {
  const marshal::Unit* unit = nullptr;

  marshal::TypeIndex type() const noexcept {
    return static_cast<marshal::TypeIndex>(static_cast<const marshal::Word*>(key) - unit->words);
  }
  void* value() noexcept { return this + 1; }
};

void destroy(KeptBlock* block) noexcept {
  auto* const head = static_cast<Head*>(block);
  marshal::destroy(*head->unit, head->type(), head->value());
  memory::release(head);
}

}  // namespace

void* take_kept(const marshal::Unit& unit, marshal::TypeIndex type) {
  const marshal::Word* const key = unit.type(type);
  if (KeptBlock* const block = take_kept(key)) return static_cast<Head*>(block)->value();
  auto* const head = ::new (memory_for_kept(sizeof(Head) + marshal::size_of(*key))) Head;
  head->key = key;
  head->destroy = &destroy;
  head->unit = &unit;
  head->bytes = sizeof(Head) + marshal::size_of(*key);
  marshal::construct(unit, type, head->value());  // does not throw for types that can be kept
  return head->value();
}

void give_kept_unchanged(void* value) noexcept { give_kept(static_cast<Head*>(value) - 1); }

void give_kept(const marshal::Unit& unit, marshal::TypeIndex type, void* value) noexcept {
  Head* const head = static_cast<Head*>(value) - 1;
  head->bytes = sizeof(Head) + marshal::size_of(*unit.type(type)) + marshal::footprint(unit, type, value);
  give_kept(head);
}

}  // namespace tenon::gen
