// SPDX-License-Identifier: Apache-2.0
//
// Texts, one behind the other: for messages that are written seldom, so that they cost few octets of code. Any thread.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

namespace tenon {

std::string joined(std::initializer_list<std::string_view> texts);

/// What std::to_string() makes, which is code of its own for each type of number.
std::string decimal(std::int64_t number);

}  // namespace tenon
