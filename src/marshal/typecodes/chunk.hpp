// SPDX-License-Identifier: Apache-2.0
//
// Pieces of a program that is being compiled from a TypeCode, and what the kind of a type tells without looking further.
#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "marshal/builder.hpp"
#include "types/typecode.hpp"

namespace tenon::marshal {

/// What a type is in memory and on the wire.
struct Shape {
  std::size_t size = 0;
  std::size_t align = 1;
  std::size_t smallest = 0;
  Word flags = type_zero | type_plain;

  static Shape simple(std::size_t size, std::size_t smallest, Word flags = type_zero | type_plain) {
    return {size, size == 0 ? 1 : std::min<std::size_t>(size, 16), smallest, flags};
  }
  template <typename T>
  static Shape of_class(std::size_t smallest, Word flags) {
    return {sizeof(T), alignof(T), smallest, flags};
  }
};

/// The words of one type. They name other types by the numbers of their chunks until all chunks are put side by side.
struct Chunk : Words {
  const types::TypeCode* type = nullptr;
  Shape shape;
  std::vector<std::size_t> offsets;
  std::vector<Word> cases;  ///< of a union; case_links: indexes of those words that name types
  std::vector<std::size_t> case_links;
  std::size_t case_place = 0;  ///< the word that holds the place of the cases
};

inline std::size_t rounded(std::size_t size, std::size_t align) noexcept {
  return (size + align - 1) / align * align;
}

inline std::optional<Op> number_op(types::Kind kind) noexcept {
  using types::Kind;
  switch (kind) {
    case Kind::tk_octet: return Op::copy1;
    case Kind::tk_short:
    case Kind::tk_ushort: return Op::copy2;
    case Kind::tk_long:
    case Kind::tk_ulong:
    case Kind::tk_float: return Op::copy4;
    case Kind::tk_longlong:
    case Kind::tk_ulonglong:
    case Kind::tk_double: return Op::copy8;
    default: return std::nullopt;
  }
}
/// The op of one value that needs no operand and no type of its own; nothing for others.
inline std::optional<Op> simple_op(const types::TypeCode& type) noexcept {
  using types::Kind;
  if (const auto op = number_op(type.kind)) return op;
  switch (type.kind) {
    case Kind::tk_boolean: return Op::boolean;
    case Kind::tk_char: return Op::character;
    case Kind::tk_wchar: return Op::wide_character;
    case Kind::tk_longdouble: return Op::long_double;
    case Kind::tk_string:
      if (type.length == 0) return Op::string;
      return std::nullopt;
    default: return std::nullopt;
  }
}
inline Op discriminator_op(const types::TypeCode& type) noexcept {
  return simple_op(type).value_or(Op::enumeration);
}

/// Whether values of the type may be parts of a block.
inline bool is_fixed_part(const types::TypeCode& named) noexcept {
  using types::Kind;
  const Kind kind = types::unaliased(named).kind;
  return number_op(kind) || kind == Kind::tk_boolean || kind == Kind::tk_char || kind == Kind::tk_enum;
}

/// The index after the last member of a block that begins with member `first`; `first` itself if there is no block.
inline std::size_t run_end(const types::TypeCode& type, const std::vector<std::size_t>& offsets,
                           const std::vector<Shape>& shapes, std::size_t first) noexcept {
  std::size_t end = first;
  std::size_t align = 1;
  while (end < type.members.size() && is_fixed_part(*type.members[end].type) &&
         offsets[end] + shapes[end].size - offsets[first] <= largest_block) {
    align = std::max(align, shapes[end].align);
    ++end;
  }
  // In memory the run must begin at a multiple of its alignment, else its padding differs from CDR's.
  return end >= first + 2 && offsets[first] % align == 0 ? end : first;
}

/// The number of a union's case. In the TypeCode a case with several labels is several members; it has the number of the first.
inline Word case_number(const types::TypeCode& type, std::size_t index) noexcept {
  while (index > 0 && type.members[index - 1].name == type.members[index].name &&
         !type.members[index].name.empty()) {
    --index;
  }
  return static_cast<Word>(index);
}

}  // namespace tenon::marshal
