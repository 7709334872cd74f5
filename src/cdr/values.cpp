// SPDX-License-Identifier: Apache-2.0
#include "cdr/values.hpp"

#include <algorithm>
#include <new>
#include <utility>

#include "base/minor_codes.hpp"
#include "cdr/value_memory.hpp"
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

Error ReadValues::add(std::size_t position, unsigned level) noexcept {
  if (entries_.empty() || entries_.back().position < position)
    return append(entries_, Entry{position, level, nullptr}) ? Error{} : errors::out_of_memory;
  return find(position) != nullptr ? Error{} : errors::bad_value_indirection;  // met before, and read again
}

void ReadValues::set(std::size_t position, ValueObject* object) noexcept {
  Entry* entry = find(position);
  if (entry == nullptr) return;
  // No memory: an indirection to a value without an object reads the value again.
  if (asides != 0 && !append(set_aside, position)) return;
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

ReadValues* ReadValuesRef::make() noexcept {
  if (values_ == nullptr) values_ = new (std::nothrow) ReadValues;
  return values_;
}

void ReadValuesRef::drop() noexcept {
  if (--values_->holders_ == 0) delete values_;
}

std::size_t Positions::place_of(std::string_view key) const noexcept {
  std::uint64_t hash = 14695981039346656037U;  // FNV-1a
  for (const char octet : key) hash = (hash ^ static_cast<unsigned char>(octet)) * 1099511628211U;
  auto place = static_cast<std::size_t>(hash ^ hash >> 32);
  for (;; ++place) {
    const std::size_t number = places_[place &= places_.size() - 1];
    if (number == 0) return place;
    const Entry& entry = entries_[number - 1];
    if (std::string_view(keys_.data() + entry.at, entry.size) == key) return place;
  }
}

std::size_t Positions::find(std::string_view key) const noexcept {
  if (places_.empty()) return none;
  const std::size_t number = places_[place_of(key)];
  return number == 0 ? none : entries_[number - 1].position;
}

/// Places for one entry more. False: there is no memory.
bool Positions::make_places() noexcept {
  if (2 * entries_.size() < places_.size()) return true;
  const std::size_t count = std::max<std::size_t>(2 * places_.size(), 16);
  std::uint32_t* const places = make_room(places_, count);
  if (places == nullptr) return false;
  std::fill_n(places, count, 0U);
  std::uint32_t number = 0;
  for (const Entry& entry : entries_) places[place_of({keys_.data() + entry.at, entry.size})] = ++number;
  return true;
}

bool Positions::add(std::string_view key, std::size_t position) noexcept {
  if (!make_places()) return false;
  const std::size_t place = place_of(key);
  if (places_[place] != 0) return true;
  const std::size_t at = keys_.size();
  if (!append_raw(&keys_, key.data(), key.size()) || !append(entries_, Entry{at, key.size(), position}))
    return false;
  places_[place] = static_cast<std::uint32_t>(entries_.size());
  return true;
}

WrittenValues::~WrittenValues() {
  for (const ValueObject* object : kept) object->value_drop();
}

void WrittenValuesRef::drop() noexcept {
  delete values_;
  values_ = nullptr;
}

}  // namespace tenon::cdr
