// SPDX-License-Identifier: Apache-2.0
//
// Code sets of char data. Every program has UTF-8 and ISO 8859-1 (code_sets.hpp converts between them); one with tenon::parts::code_sets has
// those that iconv of the C library knows, too (char_set_library.cpp, decision 39).
//
// A set that the OSF registry (1.2g) does not list has a number of ours, which is never sent: peers are told UTF-8.
// Threads: any; each has its own open converters.
#pragma once

#include <atomic>
#include <span>
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

/// Numbers of ours begin so.
inline constexpr std::uint32_t not_registered_sets = 0xFFFE0000;

/// Programs have all sets from now on. For good, in the whole process; any thread.
void use_char_sets() noexcept;
/// What it sets.
struct MoreCharSets {
  const CharSet* (*find)(CodeSet id) noexcept;
  Status (*convert)(CodeSet from, CodeSet to, std::string_view text,
                    std::string& into) noexcept;  ///< convert_chars() of code_sets.hpp
};
extern std::atomic<const MoreCharSets*> more_char_sets;  ///< null: there are none

/// By its number. Null: unknown, or the program does not have it.
const CharSet* char_set(CodeSet id) noexcept;
/// UTF-8 and ISO 8859-1.
std::span<const CharSet> own_char_sets() noexcept;
/// By its name or an alias, such as "iso_8859-15", "latin9", "cp1252": in any case, whatever punctuation it has. Null: unknown. Whether the
/// program has it, char_set() says.
const CharSet* find_char_set(std::string_view name) noexcept;
/// Whether it can be converted on this system.
bool can_convert(const CharSet& set) noexcept;

/// Whether each octet is a character in that set.
bool has_one_octet_each(CodeSet id) noexcept;
/// Why a reader could not convert a char above ASCII: where the transmission code set has the character, it is the native one that lacks it.
Error char_without_place(CodeSet transmission, const Error& why) noexcept;
/// What peers are told of a native set: itself, if the registry has it, else UTF-8.
CodeSet announced(CodeSet native) noexcept;

}  // namespace tenon::cdr
