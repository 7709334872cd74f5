// SPDX-License-Identifier: Apache-2.0
//
// Ways to run a type: each reads a value from one message and writes it into another. All must agree with the naive codec.
//
// A new way to run types, such as another kind of generated code, takes part in all tests by a line in ways().
#pragma once

#include <span>
#include <string>

#include "tests/equality/naive.hpp"

namespace tenon::equality {

struct Outcome {
  Bytes bytes;
  std::string error;  ///< empty: it went well
};

struct Way {
  const char* name;
  /// One value that is all of `from`.
  Outcome (*run)(const types::TypeRef& type, const Message& from, const Wire& to);
};

std::span<const Way> ways();

}  // namespace tenon::equality
