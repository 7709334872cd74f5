// SPDX-License-Identifier: Apache-2.0
//
// How instructions are written: the name of each op, and which operands follow it. For code that builds programs or goes through them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string_view>

#include "marshal/words.hpp"

namespace tenon::marshal {

/// What an operand says; the functions in namespace fields that make operands have the same names.
enum class Operand : std::uint8_t {
  none,
  bound,          ///< of a text or sequence; 0: none
  count,          ///< of elements
  enumerators,    ///< how many there are
  digits,         ///< of a fixed, and its scale
  smallest,       ///< fewest bytes of an element on the wire
  type,           ///< TypeIndex
  bytes,          ///< of a block, without trailing padding; at most largest_block
  parts,          ///< of a block: how many words of instructions, flags, log2 of the alignment
  cases,          ///< of a union: where its cases are among the unit's words (Cases)
  foreign_class,  ///< index in the unit's Foreign table
  value_type,     ///< number of the expected ValueType, or no_value_type
};

/// How an instruction is written: its name, and its operands in their order.
struct Form {
  std::string_view name;
  std::array<Operand, 5> operands{};

  constexpr std::size_t operand_count() const noexcept {
    std::size_t count = 0;
    while (count != operands.size() && operands[count] != Operand::none) ++count;
    return count;
  }
};
inline constexpr Form forms[] = {
    {"end"},
    {"copy1"},
    {"copy2"},
    {"copy4"},
    {"copy8"},
    {"boolean"},
    {"character"},
    {"enumeration", {Operand::enumerators}},
    {"string"},
    {"bounded_string", {Operand::bound}},
    {"array", {Operand::count, Operand::type}},
    {"call", {Operand::type}},
    {"block", {Operand::bytes, Operand::parts}},
    {"reference", {Operand::foreign_class}},
    {"any", {Operand::foreign_class}},
    {"typecode", {Operand::foreign_class}},
    {"value", {Operand::foreign_class}},
    {"foreign", {Operand::foreign_class, Operand::smallest}},
    {"held", {Operand::value_type}},
    {"array1", {Operand::count}},
    {"array2", {Operand::count}},
    {"array4", {Operand::count}},
    {"array8", {Operand::count}},
    {"character_array", {Operand::count}},
    {"sequence1", {Operand::bound}},
    {"sequence2", {Operand::bound}},
    {"sequence4", {Operand::bound}},
    {"sequence8", {Operand::bound}},
    {"characters", {Operand::bound}},
    {"booleans", {Operand::bound}},
    {"boolean_array", {Operand::count}},
    {"strings", {Operand::bound}},
    {"sequence", {Operand::bound, Operand::smallest, Operand::type}},
    {"wide_character"},
    {"wide_string"},
    {"bounded_wide_string", {Operand::bound}},
    {"long_double"},
    {"fixed", {Operand::digits}},
    {"choice", {Operand::cases, Operand::foreign_class}},
    {"map", {Operand::foreign_class, Operand::bound, Operand::smallest, Operand::type, Operand::type}},
};
static_assert(std::size(forms) == static_cast<std::size_t>(Op::count_of_ops));

constexpr const Form& form_of(Op op) noexcept { return forms[static_cast<std::size_t>(op)]; }
/// Words of an instruction, its operands included; of block without the masks.
constexpr std::size_t length_of(Op op) noexcept { return 1 + form_of(op).operand_count(); }

/// The op of a sequence or an array of elements that `element` moves: one that needs no TypeIndex, or else Op::sequence or Op::array.
constexpr Op sequence_of(Op element) noexcept {
  switch (element) {
    case Op::copy1: return Op::sequence1;
    case Op::copy2: return Op::sequence2;
    case Op::copy4: return Op::sequence4;
    case Op::copy8: return Op::sequence8;
    case Op::character: return Op::characters;
    case Op::boolean: return Op::booleans;
    case Op::string: return Op::strings;
    default: return Op::sequence;
  }
}
constexpr Op array_of(Op element) noexcept {
  switch (element) {
    case Op::copy1: return Op::array1;
    case Op::copy2: return Op::array2;
    case Op::copy4: return Op::array4;
    case Op::copy8: return Op::array8;
    case Op::character: return Op::character_array;
    case Op::boolean: return Op::boolean_array;
    default: return Op::array;
  }
}

/// The size of one element, where that is plain memory.
constexpr std::size_t primitive_size(Op op) noexcept {
  switch (op) {
    case Op::copy2:
    case Op::sequence2:
    case Op::array2: return 2;
    case Op::copy4:
    case Op::sequence4:
    case Op::array4:
    case Op::enumeration: return 4;
    case Op::copy8:
    case Op::sequence8:
    case Op::array8: return 8;
    case Op::wide_character: return sizeof(wchar_t);
    case Op::long_double: return sizeof(long double);
    default: return 1;
  }
}

/// length_of() as a table, so that no branch is needed.
inline constexpr auto lengths = [] {
  std::array<std::uint8_t, std::size(forms)> table{};
  for (unsigned op = 0; op != table.size(); ++op)
    table[op] = static_cast<std::uint8_t>(length_of(static_cast<Op>(op)));
  return table;
}();

/// The instruction after this one; after a block its first part.
constexpr const Word* next(const Word* at) noexcept {
  const Word op = *at & 0xFF;
  return at + lengths[op] + (op == static_cast<Word>(Op::block) ? mask_words(at[1]) : 0);
}

}  // namespace tenon::marshal
