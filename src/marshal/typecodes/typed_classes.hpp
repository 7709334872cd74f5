// SPDX-License-Identifier: Apache-2.0
//
// How programs of types met at run time reach the classes of src/types in their memory: types::Any and types::TypeRef.
// Constant, so safe from any thread.
#pragma once

#include "marshal/program.hpp"

namespace tenon::marshal {

extern const Foreign any_class;
extern const Foreign type_class;

}  // namespace tenon::marshal
