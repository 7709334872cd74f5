// SPDX-License-Identifier: Apache-2.0
//
// Closes the circle of a recursive type whose parts were made one by one (create.hpp).
//
// The incomplete nodes that stand for the type are in graphs that its graph keeps alive. If they just pointed back to the type, the
// graphs would keep each other alive for ever. So the type is copied into one graph, which keeps only graphs of types that are still
// incomplete, and the incomplete nodes are filled in to point into that graph.
#pragma once

#include "types/typecode.hpp"

namespace tenon::types {

/// `type` itself when no incomplete part of it has its id. May throw std::bad_alloc.
TypeRef complete(const TypeRef& type);

}  // namespace tenon::types
