// SPDX-License-Identifier: Apache-2.0
//
// The value of a constant expression after evaluation: constants, union labels, annotation parameters.
//
// Values are already converted to the type that they were declared for and range-checked; a back end prints
// them and computes nothing.
#pragma once

#include <cstdint>
#include <string>

namespace tenon::idl::model {

struct Enumerator;

enum class ValueKind : std::uint8_t {
  None,
  Integer,     // every signed integer type: integer
  Unsigned,    // every unsigned integer type, octet and bitmask: unsigned_integer
  Boolean,     // boolean
  Char,        // character: 0..255
  WChar,       // character: a Unicode scalar value
  Float,       // floating, already rounded to float
  Double,      // floating, already rounded to double
  LongDouble,  // floating
  String,      // text: bytes as written (UTF-8 source stays UTF-8); no embedded NUL
  WString,     // wide
  Fixed,       // text: decimal digits without exponent, e.g. "-12.50"; digits and scale
  Enumerator,  // enumerator
};

struct Value {
  ValueKind kind = ValueKind::None;
  bool boolean = false;
  std::uint32_t character = 0;
  std::int64_t integer = 0;
  std::uint64_t unsigned_integer = 0;
  long double floating = 0;
  std::string text;
  std::u32string wide;
  std::uint16_t digits = 0;
  std::uint16_t scale = 0;
  const Enumerator* enumerator = nullptr;
};

}  // namespace tenon::idl::model
