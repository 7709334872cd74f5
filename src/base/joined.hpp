// SPDX-License-Identifier: Apache-2.0
//
// Texts, one behind the other: for messages that are written seldom, so that they cost few octets of code. Any thread.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

namespace tenon {

std::string joined(std::initializer_list<std::string_view> texts);

}  // namespace tenon
