// SPDX-License-Identifier: Apache-2.0
//
// Offsets that lead from a TypeCode into another one of the same message, which the standard does not have (part 2 §9.3.5.1.3) and TAO
// writes: the TypeCode is read again at the place where the offset leads to, once per message. Nothing is noted of TypeCodes before the
// first such offset, so messages without one pay nothing.
//
// An offset leads to a lower position, so this ends; the depth of what it leads to counts. What is read again, and what TypeCodes get by
// such offsets, is bounded by a multiple of the message: beyond it is too_much_sharing.
#pragma once

#include "cdr/reader.hpp"
#include "types/typecode.hpp"

namespace tenon::types {

struct EarlierType {
  TypeRef type;           ///< null after an error, which is then in the reader
  unsigned levels = 0;    ///< TypeCodes inside one another in it
  bool first_use = true;  ///< by this user
};

/// The TypeCode at an earlier position, as a part of the TypeCode that begins at `user`. Each user is charged for it once.
EarlierType earlier_type(cdr::Reader& message, std::size_t position, unsigned depth, std::size_t user);
/// The same for an offset in place of a whole TypeCode, which is charged a sixteenth: the reader is behind the mark, in front of the offset.
TypeRef whole_type_before(cdr::Reader& message, unsigned depth, unsigned& levels);

/// Of decode.cpp: the TypeCode at the reader's place, where `depth` others are around it. Sets how many are inside one another in it,
/// if it has parts.
TypeRef read_at_depth(cdr::Reader& in, unsigned depth, unsigned& levels);
/// An offset in a TypeCode.
std::int32_t get_offset(cdr::Reader& in) noexcept;

}  // namespace tenon::types
