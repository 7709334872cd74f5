// SPDX-License-Identifier: Apache-2.0
//
// What the page says of a function that a request passes. A function without an entry fails the test that makes the page, and so
// does an entry whose file no longer has such a function.
#pragma once

#include <span>
#include <string_view>

namespace tenon::walk {

struct Step {
  std::string_view function;
  std::string_view file;  ///< from the root of the sources; empty: generated
  std::string_view does;
};

std::span<const Step> steps() noexcept;

}  // namespace tenon::walk
