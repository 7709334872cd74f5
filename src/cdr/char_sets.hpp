// SPDX-License-Identifier: Apache-2.0
//
// Code sets of char data: their names, and the conversion of all but UTF-8 and ISO 8859-1 by iconv of the C library (decision 39). Only
// sets of which every ASCII octet by itself is that character, since text in ASCII passes unconverted everywhere.
//
// A set that the OSF registry (1.2g) does not list has a number of ours, which is never sent: peers are told UTF-8.
// Threads: any; each has its own open converters.
#pragma once

#include <string>
#include <string_view>

#include "base/error.hpp"
#include "cdr/wire_format.hpp"

namespace tenon::cdr {

struct CharSet {
  CodeSet id;
  const char* name;     ///< as iconv understands it
  bool one_octet;       ///< for each character
  const char* aliases;  ///< separated by spaces, in lower case, without anything but letters and digits
};

/// By its name or an alias, such as "iso_8859-15", "latin9", "cp1252": in any case, whatever punctuation it has. Null: unknown.
const CharSet* find_char_set(std::string_view name) noexcept;
/// By its number. Null: unknown.
const CharSet* char_set(CodeSet id) noexcept;
/// Whether it can be converted on this system.
bool can_convert(const CharSet& set) noexcept;

/// Whether each octet is a character in that set.
bool has_one_octet_each(CodeSet id) noexcept;
/// Why a reader could not convert a char above ASCII: where the transmission code set has the character, it is the native one that lacks it.
Error char_without_place(CodeSet transmission, const Error& why) noexcept;
/// What peers are told of a native set: itself, if the registry has it, else UTF-8.
CodeSet announced(CodeSet native) noexcept;

/// convert_chars() of code_sets.hpp by the C library.
Status convert_by_library(CodeSet from, CodeSet to, std::string_view text, std::string& into);

}  // namespace tenon::cdr
