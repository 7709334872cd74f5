// SPDX-License-Identifier: Apache-2.0
//
// Programs of TypeCodes that are used again: made once, found by their TypeCode.
//
// For a type that is constant data, its program is made at the first use and kept for ever. Whether a type that came in a message
// will be met again is unknown: the walker of src/types runs it until that has cost about as much as making a program; from then
// on the type's graph keeps the program. The walker also runs types without parts, and those that have no program.
// Safe from any thread, without locks.
#pragma once

#include "marshal/typecodes/compile.hpp"
#include "types/any.hpp"

namespace tenon::marshal {

/// What runs a type.
struct Runnable {
  const Unit* unit = nullptr;  ///< null: the walker
  TypeIndex type = no_case;

  explicit operator bool() const noexcept { return unit != nullptr; }
};

/// Valid as long as the type. `octets`: at most so many are about to be read; 0: not known.
Runnable runnable(const types::TypeRef& type, std::size_t octets);

/// Runs values of any type, by the program where there is one. Exceptions are as in Anys: with their repository id.
extern const types::Runner by_program;

}  // namespace tenon::marshal
