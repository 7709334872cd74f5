// SPDX-License-Identifier: Apache-2.0
//
// Parameters of interpreted operations that outlive their upcall (mapping/cpp11/calls/kept.hpp): as compiled skeletons keep theirs, but in
// memory whose type is a program.
#pragma once

#include "marshal/program.hpp"

namespace tenon::gen {

/// A value, new or from this thread's shelf; its content has no meaning. `unit` is constant data.
void* take_kept(const marshal::Unit& unit, marshal::TypeIndex type);
/// These put a value back on the shelf; the first one is for a value that has as much memory as when it was taken.
void give_kept_unchanged(void* value) noexcept;
void give_kept(const marshal::Unit& unit, marshal::TypeIndex type, void* value) noexcept;

}  // namespace tenon::gen
