// SPDX-License-Identifier: Apache-2.0
//
// A reference in words: its type, and every profile and component, also those that cannot be used here. What is malformed is
// said to be so and shown in hexadecimal. Pure; any thread.
#pragma once

#include <string>
#include <string_view>

#include "ior/ior.hpp"

namespace tenon::explain {

/// Lines, each with its end.
std::string in_words(const ior::Ior& reference);

/// The name that a corbaname has besides the naming context, which read_reference() reads: lines, each with its end. Empty for other texts.
std::string name_in_words(std::string_view text);

/// One component: "component 0x00000001 CODE_SETS: char UTF-8 ...".
std::string in_words(const ior::TaggedComponent& component);

}  // namespace tenon::explain
