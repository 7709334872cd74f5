// SPDX-License-Identifier: Apache-2.0
//
// Whether a type contains itself without end: through anything but a sequence or a value type, which may be empty or null. Takes
// time in proportion to the nodes. Safe from any thread; may throw std::bad_alloc.
#pragma once

#include "types/typecode.hpp"

namespace tenon::types {

bool contains_itself_endlessly(const TypeCode& type);

}  // namespace tenon::types
