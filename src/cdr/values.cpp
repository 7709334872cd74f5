// SPDX-License-Identifier: Apache-2.0
#include "cdr/values.hpp"

#include <algorithm>
#include <utility>

#include "cdr/written_values.hpp"

namespace tenon::cdr {

ReadValues::~ReadValues() {
  for (const Entry& entry : entries_) {
    if (entry.object != nullptr) entry.object->value_drop();
  }
  if (typecodes != nullptr) typecodes->value_drop();
}

ReadValues::Entry* ReadValues::find(std::size_t position) noexcept {
  const auto place = std::lower_bound(entries_.begin(), entries_.end(), position,
                                      [](const Entry& entry, std::size_t at) { return entry.position < at; });
  return place != entries_.end() && place->position == position ? &*place : nullptr;
}

bool ReadValues::add(std::size_t position, unsigned level) {
  if (entries_.empty() || entries_.back().position < position) {
    entries_.push_back({position, level, nullptr});
    return true;
  }
  return find(position) != nullptr;  // met before, and read again
}

void ReadValues::set(std::size_t position, ValueObject* object) noexcept {
  Entry* entry = find(position);
  if (entry == nullptr) return;
  try {
    if (asides != 0) set_aside.push_back(position);
  } catch (...) {
    return;  // an indirection to a value without an object reads the value again
  }
  object->value_hold();
  if (entry->object != nullptr) entry->object->value_drop();
  entry->object = object;
}

void ReadValues::forget_from(std::size_t mark) noexcept {
  for (; set_aside.size() > mark; set_aside.pop_back()) {
    Entry* entry = find(set_aside.back());
    ValueObject* const object = entry != nullptr ? std::exchange(entry->object, nullptr) : nullptr;
    if (object == nullptr) continue;
    object->value_clear();
    object->value_drop();
  }
}

void ReadValues::clear() noexcept {
  for (const Entry& entry : entries_) {
    if (entry.object != nullptr) entry.object->value_clear();
  }
}

void ReadValuesRef::clear_if_last() noexcept {
  if (values_->holders_ == 1) values_->clear();
}

ReadValues* ReadValuesRef::make() {
  if (values_ == nullptr) values_ = new ReadValues;
  return values_;
}

void ReadValuesRef::drop() noexcept {
  if (--values_->holders_ == 0) delete values_;
}

WrittenValues::~WrittenValues() {
  for (const ValueObject* object : kept) object->value_drop();
}

void WrittenValuesRef::drop() noexcept {
  delete values_;
  values_ = nullptr;
}

}  // namespace tenon::cdr
