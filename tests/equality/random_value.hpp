// SPDX-License-Identifier: Apache-2.0
//
// Random values of a type: every one can be written in GIOP 1.1 and 1.2 with UTF-8 and UTF-16.
#pragma once

#include "tests/equality/data.hpp"
#include "tests/equality/random_type.hpp"

namespace tenon::equality {

/// `choice`: of types inside anys. `depth`: how far recursive types go down, and anys inside anys.
Data random_value(Random& random, const types::TypeCode& type, const TypeChoice& choice = {},
                  unsigned depth = 5);

}  // namespace tenon::equality
