// SPDX-License-Identifier: Apache-2.0
//
// Random IDL types, made with types::create_*.
#pragma once

#include "tests/equality/random.hpp"
#include "types/typecode.hpp"

namespace tenon::equality {

struct TypeChoice {
  unsigned depth = 4;        ///< constructed types inside one another
  bool anys = true;          ///< any and TypeCode
  bool references = true;    ///< object references
  bool wide = true;          ///< wide characters
  bool long_doubles = true;  ///< not every peer has them
  bool wide_labels = true;   ///< unions switched by wide characters
  bool values = false;       ///< value types and boxes
  bool ascii = false;        ///< values: no text that code sets differ in
};

types::TypeRef random_type(Random& random, const TypeChoice& choice = {});

}  // namespace tenon::equality
