// SPDX-License-Identifier: Apache-2.0
//
// Comparing TypeCodes (CORBA 3.4 part 1 §8.11.1). Takes time in proportion to the nodes, also of recursive types and of types
// whose parts are shared. Safe from any thread; may throw std::bad_alloc.
#pragma once

#include "types/typecode.hpp"

namespace tenon::types {

/// Whether all operations of both return the same.
bool equal(const TypeCode& a, const TypeCode& b);

/// Whether they are the same without aliases: by repository id where both have one, else by structure without names.
bool equivalent(const TypeCode& a, const TypeCode& b);

/// Whether they are equivalent but for bounds of strings and sequences, which C++ types do not have.
bool equivalent_unbounded(const TypeCode& a, const TypeCode& b);

}  // namespace tenon::types
