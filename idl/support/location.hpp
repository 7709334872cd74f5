// SPDX-License-Identifier: Apache-2.0
//
// A place in the user's source text, after undoing what the preprocessor did to it.
#pragma once

#include <cstdint>

namespace tenon::idl {

struct Location {
  std::uint32_t file = 0;    // index into SourceFiles and Model::files
  std::uint32_t line = 0;    // from 1; 0: built in, or no particular line
  std::uint32_t column = 0;  // in bytes from 1; 0: no particular column

  friend bool operator==(const Location&, const Location&) = default;
};

// What a diagnostic underlines: length bytes of one line.
struct Span {
  Location where;
  std::uint32_t length = 1;
};

}  // namespace tenon::idl
