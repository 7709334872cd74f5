// SPDX-License-Identifier: Apache-2.0
//
// Structs whose members lie at constant offsets in CDR: Java reads and writes them after one check, and servants can see them where they lie
// in a request (@tenon::view). Pure functions of the model.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "idl/model/model.hpp"

namespace tenon::idl::model {

// The layout of a value that begins at a multiple of `alignment`. One that begins elsewhere, as its first member's alignment may let it,
// is laid out in another way.
struct ConstantLayout {
  std::uint32_t first = 1;             // alignment of the first member: the value begins there
  std::uint32_t alignment = 1;         // of the strictest member
  std::uint32_t size = 0;              // in octets, without padding behind
  std::uint32_t stride = 0;            // from one element of a sequence to the next; 0: not constant
  std::vector<std::uint32_t> offsets;  // of members, those of the base first
  std::vector<std::uint32_t> ends;     // behind each
};

// None if the struct has a member that is no number, character, boolean, enum, fixed, struct with such a layout, or an array of one
// dimension of primitives; or if it is larger than 64 KiB.
std::optional<ConstantLayout> constant_layout(const Struct& decl);

// The struct of a sequence of structs with such a layout; null: it is none.
const Struct* sequence_of_constant_structs(const Type& type);

// All members, those of the base first.
std::vector<Member> members_of(const Struct& decl);

}  // namespace tenon::idl::model
