// SPDX-License-Identifier: Apache-2.0
//
// TypeCodes in CDR (CORBA 3.4 part 2 §9.3.5.1): a kind, then nothing, simple parameters, or an encapsulation with the others;
// a TypeCode that has occurred before in the same outermost TypeCode is an offset back to it.
//
// Writing uses an offset where a node with an encapsulation occurs again: recursion needs it, and it keeps types with shared parts
// small. But enums, interfaces, sequences, arrays and boxes are written in full again, up to 64 KiB in all, because TAO and Orbix
// 2000 read offsets to structs, unions, values, events and aliases only. Reading accepts an offset to any earlier TypeCode of the
// same outermost one, be it complete or around the offset, and to one anywhere before it in the message (earlier.hpp). What is read never
// takes more memory than a fixed multiple of its bytes; depth is limited; a type that would contain itself without end is refused. Errors
// stay in the reader or writer.
#pragma once

#include "cdr/reader.hpp"
#include "cdr/writer.hpp"
#include "types/typecode.hpp"

namespace tenon::types {

/// TypeCodes inside one another, at most.
inline constexpr unsigned deepest_typecode = 128;

/// The format of an encapsulation in a TypeCode, in which wide union labels can be written whatever the GIOP version.
inline cdr::WireFormat format_inside(cdr::WireFormat outer) noexcept {
  if (outer.giop_minor == 0) outer.giop_minor = 2;
  if (outer.wchars == cdr::CodeSet::none) outer.wchars = cdr::CodeSet::utf16;
  return outer;
}

void write(cdr::Writer& out, const TypeCode& type);
/// A union label as a value of the discriminator's type.
void write_label(cdr::Writer& out, const TypeCode& discriminator, std::uint64_t value);
/// Reads a union label, sign-extended.
std::uint64_t read_label(cdr::Reader& in, const TypeCode& discriminator);
/// Null after an error.
TypeRef read(cdr::Reader& in);

}  // namespace tenon::types
