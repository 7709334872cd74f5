// SPDX-License-Identifier: Apache-2.0
//
// Closing the circle of a recursive type whose parts were made one by one (create.hpp).
//
// The incomplete nodes that stand for the type lie in graphs that its graph keeps. Were they only made to point back, each graph
// would keep the other for ever; so the type is copied into one graph that keeps none but those of types that are incomplete still,
// and the incomplete nodes are filled to point into it.
#pragma once

#include "types/typecode.hpp"

namespace tenon::types {

/// `type` itself when no incomplete part of it has its id. May throw std::bad_alloc.
TypeRef complete(const TypeRef& type);

}  // namespace tenon::types
