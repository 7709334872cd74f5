// SPDX-License-Identifier: Apache-2.0
//
// What the generated forms of a call that is not waited for have in common: in and inout parameters are copied into a lambda that
// writes them, results are read into one value. Pure functions of the model.
#pragma once

#include "idl/backends/cpp/emit.hpp"

namespace tenon::idl::cpp {

struct AsyncParts {
  AsyncParts(const Call& call, const std::string& gen);

  std::vector<std::string> parameters;  // of in and inout ones, by value: "std::string text"
  std::vector<std::string> names;
  std::vector<std::string> captures;  // "a", "text = std::move(text)"
  std::vector<std::string> put;       // statements that write them
  std::vector<const model::Type*> results;
};

// A lambda as an argument, `end` behind it.
void write_lambda(Text& out, const std::string& head, const std::vector<std::string>& body,
                  const std::string& end);

}  // namespace tenon::idl::cpp
