// SPDX-License-Identifier: Apache-2.0
//
// What table-driven stubs and skeletons call (tenon-idl --stubs=interpreted): one table per IDL file, one function per direction.
// The tables are constant data, so any thread may use them; what runs them keeps its state on the stack.
#pragma once

#include <new>

#include "mapping/cpp11/skeleton.hpp"
#include "marshal/program.hpp"

namespace tenon::gen {

/// The tables of one IDL file. An operation is a run of words of the unit:
///
///   [0]  parameters, the result included | flags (OperationFlags)      [1]  place of its name in `names` << 8 | its length
///   then per parameter, the result first: mode << 30 | TypeIndex       then the count of exceptions, then their numbers
struct Interpreted {
  marshal::Unit unit;
  const char* names = nullptr;  ///< all operation names, as on the wire, one after the other
  const Raises* exceptions = nullptr;
};

enum OperationFlags : marshal::Word {
  operation_oneway = 0x100,
  operation_has_result = 0x200,
  operation_has_arguments = 0x400,  ///< any in or inout parameter
};
constexpr marshal::Word parameter_count(marshal::Word head) noexcept { return head & 0xFF; }

enum class Mode : marshal::Word { in = 0, out = 1, inout = 2, result = 3 };
constexpr marshal::Word parameter(Mode mode, marshal::TypeIndex type) noexcept {
  return static_cast<marshal::Word>(mode) << 30 | type;
}
constexpr Mode mode_of(marshal::Word parameter) noexcept { return static_cast<Mode>(parameter >> 30); }
constexpr marshal::TypeIndex type_of(marshal::Word parameter) noexcept { return parameter & 0x3FFFFFFF; }

/// The client's direction: calls the operation at `operation` of the file's words. `values`: the address of each parameter in the
/// order of the table; the result and out parameters exist and are overwritten. Raises as call() does.
void interpret(CORBA::Object& self, const Interpreted& file, marshal::Word operation, const void* const* values);

/// Runs the servant's method number `which` on the parameters, whose addresses are `values`. The result's place is raw memory: it
/// is constructed there.
using RunServant = void (*)(void* skeleton, unsigned which, void* const* values);

/// A perfect hash over the operations of an interface, as OperationTable: slot -> number + 1; number -> place in the file's words.
struct InterpretedTable {
  std::uint32_t seed;
  std::uint32_t slot_mask;
  const std::uint16_t* slots;
  const marshal::Word* operations;
};

/// The server's direction: finds the call's operation, reads its parameters to a frame on the stack, runs the servant and writes the
/// results before the frame goes. False when the table has no operation of that name.
bool interpret(const Interpreted& file, const InterpretedTable& table, Upcall& call, void* skeleton,
               RunServant run);

/// A parameter of the frame, in RunServant.
template <typename T>
T& value(void* at) noexcept {
  return *std::launder(static_cast<T*>(at));
}

/// A class that only C++ knows, through its codec.
template <typename C>
inline constexpr marshal::Foreign foreign{
    .size = sizeof(typename C::value_type),
    .align = alignof(typename C::value_type),
    .construct = [](void* at) { ::new (at) typename C::value_type(); },
    .destroy = [](void* at) noexcept { std::destroy_at(static_cast<typename C::value_type*>(at)); },
    .put = [](cdr::Writer& out,
              const void* from) { C::put(out, *static_cast<const typename C::value_type*>(from)); },
    .get = [](cdr::Reader& in, void* into) { C::get(in, *static_cast<typename C::value_type*>(into)); },
};

}  // namespace tenon::gen
