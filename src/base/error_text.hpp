// SPDX-License-Identifier: Apache-2.0
//
// Errors as sentences for people: ours, and the system's. Allocates; not for hot paths.
#pragma once

#include <string>

#include "base/error.hpp"

namespace tenon {

/// "MARSHAL (minor 0x544e0003, a sequence is longer than the bytes that are left; completed NO)"; without its meaning where the program
/// has no texts.
std::string text(const Error& error);

/// "Connection refused (errno 111)"; thread-safe.
std::string os_error_text(int os_error);

}  // namespace tenon
