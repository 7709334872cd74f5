// SPDX-License-Identifier: Apache-2.0
//
// Skips, copies into another message, and prints values of any type in CDR, by their TypeCode.
//
// One plain walk, element by element, without tricks, with which tests compare faster code. It checks what a compiled codec
// checks (bounds, enumerators, booleans). Time is bounded by the bytes there are, whatever the TypeCode claims, and depth by the
// reader.
// Value types are walked as far as the TypeCode tells their state. It does not tell that of a derived or custom type: such a value is
// skipped if it is chunked (else no_values_in_any), printed by its id, and copied as the base that is known, unless CarryValue knows it.
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
/// A function of a layer above that copies a value (of a value type) of which it knows more than the TypeCode tells. `head` has been
/// read, `expected` is the id that the TypeCode names. False: it does not know the value, and has read nothing.
/// Without `out` the value is only skipped.
using CarryValue = bool (*)(cdr::Reader& in, cdr::Writer* out, const cdr::ValueHeader& head,
                            std::string_view expected);
/// skip(), but a value whose end neither chunks nor its TypeCode tell is passed over by `carry`.
void skip(cdr::Reader& in, const TypeCode& type, CarryValue carry);
/// copy(), but `carry` copies each value that it knows.
void copy(cdr::Reader& in, cdr::Writer& out, const TypeCode& type, CarryValue carry);
/// copy(), but each value names all bases that its TypeCode lets it be truncated to, also where it came without: omniORB's Anys pass
/// values on by the TypeCode alone.
void copy_with_bases(cdr::Reader& in, cdr::Writer& out, const TypeCode& type);
/// Whether the value ahead is well formed and its TypeCode describes all of it, with all values in it. False also if an indirection leads
/// to a value before the reader's position.
bool is_told(const cdr::Reader& in, const TypeCode& type);
/// Reads a value and appends it as text, such as {x = 1, name = "two"}.
void print(cdr::Reader& in, std::string& out, const TypeCode& type);

/// For an exception in an Any: reads the repository id before the members (CORBA 3.4 part 2 §9.3.4), which omniORB does not send.
void take_exception_id(cdr::Reader& in, std::string_view id);

/// "struct Point {long x; long y}", for messages and tests; recursive types by name.
std::string text(const TypeCode& type);

}  // namespace tenon::types
