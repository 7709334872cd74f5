// SPDX-License-Identifier: Apache-2.0
//
// Values of any type in CDR, by their TypeCode: passed over, written again for another message, printed.
//
// One plain walk, element by element, without tricks: what faster code is compared with. It checks what a compiled codec
// checks (bounds, enumerators, booleans). Time is bounded by the bytes there are, whatever the TypeCode claims, and depth by the
// reader.
// Value types are walked as far as the TypeCode tells their state. It does not tell that of a derived or custom type: such a value is
// passed over if it is chunked (else no_values_in_any), printed by its id, and copied as the base that is known, unless it is carried.
// Errors stay in the reader or writer.
#pragma once

#include <string>

#include "cdr/reader.hpp"
#include "cdr/writer.hpp"
#include "types/typecode.hpp"

namespace tenon::types {

/// Reads a value and forgets it. Text without a bound is not looked into.
void skip(cdr::Reader& in, const TypeCode& type);
/// Reads a value and writes it for the writer's phase, byte order, GIOP version and code sets. Numbers keep every bit.
void copy(cdr::Reader& in, cdr::Writer& out, const TypeCode& type);
/// The layer above's way to copy a value (of a value type) of which it knows more than the TypeCode tells. `head` was read, `expected`
/// is the id that the TypeCode names. False: it does not know the value, and read nothing.
/// Without `out` the value is only passed over.
using CarryValue = bool (*)(cdr::Reader& in, cdr::Writer* out, const cdr::ValueHeader& head,
                            std::string_view expected);
/// skip(), but a value whose end neither chunks nor its TypeCode tell is passed over by `carry`.
void skip(cdr::Reader& in, const TypeCode& type, CarryValue carry);
/// copy(), but each value that `carry` knows is carried.
void copy(cdr::Reader& in, cdr::Writer& out, const TypeCode& type, CarryValue carry);
/// copy(), but each value names all bases that its TypeCode lets it be truncated to, also where it came without: omniORB's Anys pass
/// values on by the TypeCode alone.
void copy_with_bases(cdr::Reader& in, cdr::Writer& out, const TypeCode& type);
/// Whether the value ahead is good and its TypeCode tells it whole, with all values in it. False also where one of those stands before
/// the reader.
bool is_told(const cdr::Reader& in, const TypeCode& type);
/// Reads a value and appends it as text, such as {x = 1, name = "two"}.
void print(cdr::Reader& in, std::string& out, const TypeCode& type);

/// An exception in an Any: the repository id stands before the members (CORBA 3.4 part 2 §9.3.4), except in what omniORB sends.
void take_exception_id(cdr::Reader& in, std::string_view id);

/// "struct Point {long x; long y}", for messages and tests; recursive types by name.
std::string text(const TypeCode& type);

}  // namespace tenon::types
