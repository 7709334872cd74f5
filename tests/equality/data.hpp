// SPDX-License-Identifier: Apache-2.0
//
// A value of any IDL type as a plain tree: what the naive codec reads and writes. No pointers, no layouts, no tricks.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "types/typecode.hpp"

namespace tenon::equality {

struct Data {
  /// Integers, characters and discriminators sign- or zero-extended, floating point as its bits, an enumerator's ordinal.
  std::uint64_t bits = 0;
  /// A string; of fixed, its digits and then its sign; of long double, its 16 octets, sign first; of a reference, its type id;
  /// octets of a profile.
  std::string text;
  std::wstring wide;
  types::TypeRef type;  ///< of an any, of a TypeCode
  /// A value's number in its message, from 1 on in the order in which values begin; 0: null.
  std::uint32_t value = 0;
  bool again = false;  ///< the value of that number, which stands elsewhere
  /// Members, elements, the state of a value, what is in an any or a box, the selected member of a union (or nothing), profiles of a reference.
  std::vector<Data> parts;

  bool operator==(const Data& other) const;
};

std::string text(const Data& data);

}  // namespace tenon::equality
