// SPDX-License-Identifier: Apache-2.0
//
// Unicode scalar values as UTF-8. A surrogate without its partner is no scalar value; it is written as if it were one, since
// the code that reads literals has reported it.
#pragma once

#include <string>

namespace tenon::idl {

std::string to_utf8(const std::u32string& text);

}  // namespace tenon::idl
