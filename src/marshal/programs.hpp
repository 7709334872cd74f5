// SPDX-License-Identifier: Apache-2.0
//
// Programs of TypeCodes that are used again: made once, found by their TypeCode.
//
// A type of the program itself has its program made when it is first run, for good. Whether a type that came in a message
// will be met again is unknown: the walker of src/types runs it until that has cost about as much as making a program; from then
// on the type's graph keeps the program. Types without parts, and those that have no program, are the walker's.
// Safe from any thread, without locks.
#pragma once

#include "marshal/compile.hpp"
#include "types/any.hpp"

namespace tenon::marshal {

/// What runs a type.
struct Runnable {
  const Unit* unit = nullptr;  ///< null: the walker
  TypeIndex type = no_case;

  explicit operator bool() const noexcept { return unit != nullptr; }
};

/// Lives as long as the type. `octets` are about to be run over, if so much is known.
Runnable runnable(const types::TypeRef& type, std::size_t octets);

/// Values of any type, by the program where there is one. Anys and exceptions as they are in Anys.
extern const types::Runner by_program;

}  // namespace tenon::marshal
