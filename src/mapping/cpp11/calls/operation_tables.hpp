// SPDX-License-Identifier: Apache-2.0
//
// Other ways to find an operation than the perfect hash of skeleton.hpp, for skeletons that tenon-idl makes with --operations=binary,
// linear or index (docs/poa.md compares them). Constant data; safe from any thread.
#pragma once

#include <cstddef>
#include <string_view>

#include "base/operation_number.hpp"
#include "mapping/cpp11/calls/skeleton.hpp"

namespace tenon::gen {

/// Entries in the order of their names, found by binary search.
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

/// Names are compared one after the other: only to measure the other ways against.
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

/// All operations of an interface, those of its bases first: found by their numbers, and by their names for callers that do not
/// know those. Some have no function here, only their name, by which another skeleton or the interpreter finds them.
template <typename S, std::size_t Entries, std::size_t Slots>
struct NumberedOperations {
  OperationTable<S, Entries, Slots> names;
  NumberCheck check;

  const Entry<S>* at(std::size_t number) const noexcept {
    return number < Entries ? &names.entries[number] : nullptr;
  }
  const Entry<S>* find(std::string_view name) const noexcept {
    if (is_operation_number(name)) return at(read_operation_number(name, check));
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

/// The same for tables with numbers. From here on the upcall has the operation's name in place of the number.
template <typename S, std::size_t Entries, std::size_t Slots>
bool dispatch_by(const NumberedOperations<S, Entries, Slots>& table, S& self, Upcall& call) {
  const Entry<S>* entry = table.find(call.operation());
  if (entry == nullptr) return false;
  call.operation(entry->name);
  if (entry->run == nullptr) return false;
  call.raises = entry->raises;
  entry->run(self, call);
  return true;
}

}  // namespace tenon::gen
