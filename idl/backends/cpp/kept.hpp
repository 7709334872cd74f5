// SPDX-License-Identifier: Apache-2.0
//
// Which parameters skeletons keep from one upcall to the next (src/mapping/cpp11/calls/kept.hpp), and what generated code says about the
// memory that they hold. Pure functions of the model.
#pragma once

#include "idl/backends/cpp/emit.hpp"

namespace tenon::idl::cpp {

// Whether values of the type are kept: they consist of strings, sequences, arrays and structs, have as many blocks of memory as their
// contents ask for, refer to no object, and are overwritten completely when they are read into.
bool is_kept(const model::Type& type);
bool is_kept(const model::Parameter& parameter);
// The same for an interpreted operation, whose tables must know all of the memory: structs that hold memory must be interpreted, too.
// Those of other IDL files may be or not: they are added to `others`, and only the C++ compiler knows.
bool is_kept_by_tables(const model::Parameter& parameter, const StubKinds& kinds,
                       std::vector<const model::Struct*>& others);

// "template <> struct Held<...>" of each struct in a parameter that this file's compiled skeletons keep: those of its interfaces, or those
// of their reply handlers.
void define_held(Text& out, const Context& context, bool of_handlers);

}  // namespace tenon::idl::cpp
