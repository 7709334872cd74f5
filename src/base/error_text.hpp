// SPDX-License-Identifier: Apache-2.0
//
// An error as a sentence for people. Allocates; not for hot paths.
#pragma once

#include <string>

#include "base/error.hpp"

namespace tenon {

/// "MARSHAL (minor 0x544e0003, a sequence is longer than the bytes that are left; completed NO)"
std::string text(const Error& error);

}  // namespace tenon
