// SPDX-License-Identifier: Apache-2.0
//
// Unicode scalar values as UTF-8. What is none (a surrogate without its partner) is written as if it were one: whoever reads
// a literal has complained of it.
#pragma once

#include <string>

namespace tenon::idl {

std::string to_utf8(const std::u32string& text);

}  // namespace tenon::idl
