// SPDX-License-Identifier: Apache-2.0
//
// Reduces a type and a value with which a test fails to the smallest with which it still fails.
#pragma once

#include "base/function_ref.hpp"
#include "tests/equality/data.hpp"

namespace tenon::equality {

struct Sample {
  types::TypeRef type;
  Data data;
};

std::string text(const Sample& sample);

/// `fails(sample)` is true. Every step is smaller and still fails; ends when none of the next steps does.
Sample shrunk(Sample sample, FunctionRef<bool(const Sample&)> fails);

}  // namespace tenon::equality
