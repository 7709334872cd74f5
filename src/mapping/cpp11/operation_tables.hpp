// SPDX-License-Identifier: Apache-2.0
//
// Other ways to find an operation than the perfect hash of skeleton.hpp: what tenon-idl --operations=binary, linear and index has
// skeletons use (docs/poa.md compares them). Constant data; safe from any thread.
#pragma once

#include <cstddef>
#include <string_view>

#include "mapping/cpp11/skeleton.hpp"

namespace tenon::gen {

/// Entries in the order of their names, found by halving.
template <typename S, std::size_t Entries>
struct SortedOperations {
  Entry<S> entries[Entries];

  const Entry<S>* find(std::string_view name) const noexcept {
    std::size_t low = 0;
    std::size_t high = Entries;
    while (low < high) {
      const std::size_t middle = (low + high) / 2;
      const int order = entries[middle].name.compare(name);
      if (order == 0) return &entries[middle];
      if (order < 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return nullptr;
  }
};

/// Names compared one after the other, for comparisons.
template <typename S, std::size_t Entries>
struct ListedOperations {
  Entry<S> entries[Entries];

  const Entry<S>* find(std::string_view name) const noexcept {
    for (const Entry<S>& entry : entries) {
      if (entry.name == name) return &entry;
    }
    return nullptr;
  }
};

/// A number in place of a name: digits, as no name in IDL begins with one. Not a number, or one with leading zeros: `none`.
inline constexpr std::size_t no_operation_number = ~std::size_t{0};
inline std::size_t operation_number(std::string_view text) noexcept {
  if (text.empty() || text.size() > 5 || (text.size() > 1 && text[0] == '0')) return no_operation_number;
  std::size_t number = 0;
  for (const char digit : text) {
    if (digit < '0' || digit > '9') return no_operation_number;
    number = number * 10 + static_cast<std::size_t>(digit - '0');
  }
  return number;
}

/// All operations of an interface, those of its bases first: found by their numbers, and by their names for callers that do not
/// know those.
template <typename S, std::size_t Entries, std::size_t Slots>
struct NumberedOperations {
  OperationTable<S, Entries, Slots> names;

  const Entry<S>* at(std::size_t number) const noexcept {
    return number < Entries ? &names.entries[number] : nullptr;
  }
  const Entry<S>* find(std::string_view name) const noexcept {
    if (!name.empty() && name[0] <= '9') return at(operation_number(name));
    return names.find(name);
  }
};

/// dispatch() of skeleton.hpp, for these tables.
template <typename Table, typename S>
bool dispatch_by(const Table& table, S& self, Upcall& call) {
  const Entry<S>* entry = table.find(call.operation());
  if (entry == nullptr) return false;
  call.raises = entry->raises;
  entry->run(self, call);
  return true;
}

}  // namespace tenon::gen
