// SPDX-License-Identifier: Apache-2.0
//
// Does not compile, and says why in one line: any_types_any.hpp is not included. Compiled by a test (CMakeLists.txt).
#include <tenon/gen/any.hpp>

#include "any_types.hpp"

// With TENON_ANY_TYPE a type that Any knows without it, it does.
void insert(CORBA::Any& any, const TENON_ANY_TYPE& value) { any <<= value; }
bool extract(const CORBA::Any& any, TENON_ANY_TYPE& value) { return any >>= value; }
