// SPDX-License-Identifier: Apache-2.0
//
// "Did you mean ...?": the candidate nearest to a misspelt word, and ASCII case folding as IDL's rules need
// it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tenon::idl {

std::string lower(std::string_view text);

// The best candidate whose edit distance is small for the length of the word; empty when none is near.
std::string nearest(std::string_view word, const std::vector<std::string>& candidates);

}  // namespace tenon::idl
