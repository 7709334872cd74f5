// SPDX-License-Identifier: Apache-2.0
//
// The members of a user exception as text, by the description that exception_text.hpp tells.
#pragma once

#include <string>

#include "base/bytes.hpp"
#include "cdr/reader.hpp"

namespace tenon::gen {

/// Text as it is in memory, not converted between code sets: so members are written for member_text().
inline constexpr cdr::WireFormat text_as_it_is{.chars = cdr::CodeSet::iso8859_1,
                                               .native = {.chars = cdr::CodeSet::iso8859_1}};

/// "account = \"A-17\", missing = 12.5"; "..." stands for what is too long or cannot be shown. `members`: as UserException::_put() writes
/// them. Throws nothing.
std::string member_text(const char* description, ByteView members);

/// Reads an Any and appends its type and value as text. Null in programs that do not use Any. Set before main() begins.
using ShowAny = void (*)(cdr::Reader& in, std::string& out) noexcept;
extern ShowAny show_any;

}  // namespace tenon::gen
