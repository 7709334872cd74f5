// SPDX-License-Identifier: Apache-2.0
//
// The values of literals: integers in three bases, floats, characters and strings with their escapes.
//
// Narrow strings are bytes: UTF-8 in the source stays UTF-8, `\xhh` is one byte. Wide strings are Unicode
// scalar values: UTF-8 in the source is decoded (what is no UTF-8 counts as ISO 8859-1), `\uhhhh` pairs of
// surrogates are joined. Problems are reported at their place inside the literal.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "idl/lex/token.hpp"
#include "idl/support/diagnostics.hpp"

namespace tenon::idl {

// All return a usable value, also after an error.
std::uint64_t decode_integer(const Token& token, Diagnostics& diagnostics);
long double decode_float(const Token& token, Diagnostics& diagnostics);
std::uint32_t decode_char(const Token& token, Diagnostics& diagnostics);  // Char: 0..255, WChar: scalar value
std::string decode_string(const Token& token, Diagnostics& diagnostics);
std::u32string decode_wide_string(const Token& token, Diagnostics& diagnostics);

}  // namespace tenon::idl
