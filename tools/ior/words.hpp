// SPDX-License-Identifier: Apache-2.0
//
// A reference in words: its type, and every profile and component, those included that nobody here can use. What is malformed is
// said to be so and shown in hexadecimal. Pure; any thread.
#pragma once

#include <string>

#include "ior/ior.hpp"

namespace tenon::explain {

/// Lines, each with its end.
std::string in_words(const ior::Ior& reference);

/// One component: "CODE_SETS: char UTF-8 ...".
std::string in_words(const ior::TaggedComponent& component);

}  // namespace tenon::explain
