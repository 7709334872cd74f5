// SPDX-License-Identifier: Apache-2.0
//
// Unicode scalar values as UTF-8. What is none (a surrogate without its partner) is written as if it were one: the code
// that reads literals has reported it.
#pragma once

#include <string>

namespace tenon::idl {

std::string to_utf8(const std::u32string& text);

}  // namespace tenon::idl
