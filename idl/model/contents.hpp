// SPDX-License-Identifier: Apache-2.0
//
// What types contain by value. It is found once for each declaration of a complete model and kept there, so that the cost of asking for
// many types that refer to each other grows with their number only. Threads: one at a time.
#pragma once

#include <cstdint>
#include <vector>

#include "idl/model/model.hpp"

namespace tenon::idl::model {

// Bits; each says that something of the kind is among the contents.
struct Contents {
  using Bits = std::uint32_t;
  static constexpr Bits known = 1;
  static constexpr Bits any = 2;                 // any or TypeCode
  static constexpr Bits value = 4;               // ValueType, ValueBox, ValueBase, abstract interface
  static constexpr Bits object = 8;              // an object reference
  static constexpr Bits local = 16;              // a local interface or a native
  static constexpr Bits variable = 32;           // what makes a type variable-length
  static constexpr Bits variable_elements = 64;  // a sequence whose elements are variable-length
  static constexpr Bits itself = 128;            // of a declaration: a value of it can contain another one
};

// The bits of the type itself and of all that it contains.
Contents::Bits contents_of(const Type& type);
// The bits of what a struct, union, exception or value contains, itself not counted.
Contents::Bits contents_of(const Decl& decl);

// The types that a struct, union, exception or value is made of, as written: members, cases, state.
void push_contents(const Decl& decl, std::vector<const Type*>& into);

// For tests: how often the contents of a declaration have been gone through in this process.
std::uint64_t contents_visited();

}  // namespace tenon::idl::model
