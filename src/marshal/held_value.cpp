// SPDX-License-Identifier: Apache-2.0
#include "marshal/held_value.hpp"

#include <algorithm>

#include "marshal/memory.hpp"

namespace tenon::marshal {

namespace {

constexpr std::size_t largest_align = 16;
constexpr std::size_t state_offset = (sizeof(HeldValue) + largest_align - 1) / largest_align * largest_align;

/// Whether a value of type `type` is one of type `wanted`, by ids.
bool is_a(const ValueTypes& types, const ValueType* type, const ValueType& wanted) noexcept {
  if (wanted.open) return true;
  for (;;) {
    if (type == &wanted || (!wanted.ids[0].empty() && type->ids[0] == wanted.ids[0])) return true;
    if (type->base == no_value_type) return false;
    type = &types.all[type->base];
  }
}

}  // namespace

// --- which type a value has ---

const ValueType* ValueTypes::named(std::string_view id, const ValueType* wanted) const noexcept {
  const auto found =
      std::lower_bound(by_id.begin(), by_id.end(), id,
                       [this](Word number, std::string_view sought) { return all[number].ids[0] < sought; });
  if (found == by_id.end() || all[*found].ids[0] != id) return nullptr;
  const ValueType& type = all[*found];
  return type.state != no_case && (wanted == nullptr || is_a(*this, &type, *wanted)) ? &type : nullptr;
}

const ValueType* ValueTypes::known(const cdr::ValueHeader& head, const ValueType* wanted,
                                   bool& whole) const noexcept {
  whole = true;
  if (wanted != nullptr && (head.id.empty() || head.id == wanted->ids[0]))
    return wanted->state != no_case ? wanted : nullptr;
  if (const ValueType* type = named(head.id, wanted)) return type;
  whole = false;
  if (!head.chunked) return nullptr;
  for (const std::string_view base : head.bases) {
    if (const ValueType* type = named(base, wanted)) return type;
  }
  return nullptr;
}

bool ValueTypes::is(const ValueType& type, Word number) const noexcept {
  const ValueType* wanted = expected(number);
  return wanted == nullptr || is_a(*this, &type, *wanted);
}

// --- values ---

std::byte* HeldValue::state() const noexcept {
  return reinterpret_cast<std::byte*>(const_cast<HeldValue*>(this)) + state_offset;
}

bool HeldValue::is(const ValueType* wanted) const noexcept {
  return wanted == nullptr || is_a(*types_, type_, *wanted);
}

void drop_held_value(std::byte* place) noexcept { HeldPlace(place).reset(); }

void HeldValue::value_hold() const noexcept { graph_.add_ref(); }
void HeldValue::value_drop() const noexcept { graph_.remove_ref(); }

HeldValue& ValueGraph::make(const ValueTypes& types, const ValueType& type) {
  const Word* words = types.unit->type(type.state);
  const std::size_t bytes = state_offset + size_of(*words);
  struct Free {
    void operator()(void* memory) const noexcept { ::operator delete(memory); }
  };
  std::unique_ptr<void, Free> memory(::operator new(bytes));
  construct_at(*types.unit, words, static_cast<std::byte*>(memory.get()) + state_offset);
  auto* made = ::new (memory.release()) HeldValue(*this, types, type);
  made->next_ = first_;
  first_ = made;
  bytes_ += bytes;
  return *made;
}

ValueGraph::~ValueGraph() {
  // Places in the states hold no reference to this graph, so values can be destroyed in any order.
  while (first_ != nullptr) {
    HeldValue* value = first_;
    first_ = value->next_;
    destroy_at(value->unit(), value->unit().type(value->type().state), value->state());
    std::destroy_at(value);
    ::operator delete(value);
  }
}

}  // namespace tenon::marshal
