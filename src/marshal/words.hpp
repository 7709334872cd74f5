// SPDX-License-Identifier: Apache-2.0
//
// The words of which marshal programs and tables of parameters consist: what each says, and constexpr functions that make them, by
// which programs are written. Which operands an op has is in forms.hpp, what runs programs in program.hpp.
//
//   an instruction       31                  8 7        0
//                       |  offset in memory   |   op    |   then the operands of the op, one word each
//
//   a type's first word  31                  8 7    6     5     4  3        0
//                       |  size in memory     | zero| plain|  -  | log2 align |
//
//   a parameter          31       30      29   28        8 7    0
//                       | request | reply | kept |  operand  |  op  |
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "base/not_constant.hpp"
#include "cdr/block.hpp"

namespace tenon::marshal {

using Word = std::uint32_t;
/// A type of a unit: the index of its first word.
using TypeIndex = std::uint32_t;

/// In the order of their groups (Group).
enum class Op : std::uint8_t {
  end,
  copy1,        ///< octet, int8, uint8, bitmasks of up to 8 bits
  copy2,        ///< short, unsigned short ...
  copy4,        ///< long, unsigned long, float ...
  copy8,        ///< long long, unsigned long long, double ...
  boolean,      ///< checked: 0 or 1
  character,    ///< char, converted
  enumeration,  ///< checked
  string,
  bounded_string,
  array,
  call,  ///< a part whose instructions are those of another type of the unit, as recursive types need
  /// The parts that follow are of fixed size, and their memory is their CDR where they begin at a multiple of the largest alignment.
  /// After the operands stands a ByteMask for each byte, up to a multiple of eight bytes. Padding must be zero in memory.
  block,
  reference,  ///< an object reference
  any,
  typecode,
  value,    ///< a value type
  foreign,  ///< anything whose C++ class has a codec of its own
  held,     ///< a value whose types are known by TypeCode only (held_value.hpp)
  array1,   ///< what copy1 moves, side by side
  array2,
  array4,
  array8,
  character_array,
  sequence1,  ///< a vector of what copy1 moves
  sequence2,
  sequence4,
  sequence8,
  characters,  ///< std::vector<char>
  booleans,    ///< std::vector<bool>
  boolean_array,
  strings,  ///< std::vector<std::string>
  sequence,
  wide_character,
  wide_string,
  bounded_wide_string,
  long_double,
  fixed,   ///< a tenon::Fixed
  choice,  ///< a union
  map,
  count_of_ops
};

/// Ops that are linked together: those of `common` with the interpreter, those of any other group in builds for size only where a unit
/// has them (Unit::moves).
enum class Group : std::uint8_t {
  common,
  arrays,
  numbers,  ///< sequences of them
  booleans,
  strings,
  sequences,
  wide,
  long_double,
  fixed,
  unions,
  maps,
  every,  ///< not a group: all of them
};
constexpr Op last_common = Op::held;
constexpr Group group_of(Op op) noexcept {
  if (op <= last_common) return Group::common;
  if (op <= Op::character_array) return Group::arrays;
  if (op <= Op::characters) return Group::numbers;
  if (op <= Op::boolean_array) return Group::booleans;
  if (op <= Op::strings) return Group::strings;
  if (op <= Op::sequence) return Group::sequences;
  if (op <= Op::bounded_wide_string) return Group::wide;
  if (op <= Op::long_double) return Group::long_double;
  if (op <= Op::fixed) return Group::fixed;
  return op <= Op::choice ? Group::unions : Group::maps;
}

// --- blocks ---

/// Flags in the last operand of `block`.
enum BlockFlags : Word {
  block_align_mask = 0x0F,    ///< log2 of the largest alignment
  block_enumerations = 0x10,  ///< has enumerations, which are checked one by one in what a peer sent
  block_characters = 0x20,    ///< has chars
  /// Side by side in memory (a sequence, an array) such blocks are still their CDR: no trailing padding, or the first part has the
  /// largest alignment.
  block_repeats = 0x40,
};
constexpr std::size_t largest_block = cdr::Block::largest;
constexpr std::size_t mask_words(std::size_t block_bytes) noexcept { return (block_bytes + 7) / 8 * 2; }

// --- what words say ---

constexpr Word no_foreign = 0xFFFFFFFF;
/// Stands in place of a type or of a union's case: there is none.
constexpr Word no_case = 0xFFFFFFFF;

constexpr Op op_of(Word word) noexcept { return static_cast<Op>(word & 0xFF); }
constexpr std::size_t offset_of(Word word) noexcept { return word >> 8; }

/// A type's first word.
enum TypeFlags : Word {
  type_zero = 0x80,   ///< zero bytes are a valid initial value
  type_plain = 0x40,  ///< nothing to free: copied and dropped as bytes
};
constexpr std::size_t size_of(Word head) noexcept { return head >> 8; }
constexpr std::size_t align_of(Word head) noexcept { return std::size_t{1} << (head & 0x0F); }

/// Memory larger than a word can say: the type needs compiled code.
constexpr std::size_t largest_size = (std::size_t{1} << 24) - 1;

// --- parameters ---

enum Direction : Word { in_request = 0x80000000, in_reply = 0x40000000 };
/// A flag of a parameter that `call` moves: its value is one of those that outlive the upcall (interpreted/kept_parameter.hpp).
constexpr Word kept = 0x20000000;
constexpr bool is_kept(Word parameter) noexcept { return (parameter & kept) != 0; }
constexpr Word largest_operand = 0x1FFFFF;
constexpr Word operand_of(Word parameter) noexcept { return parameter >> 8 & largest_operand; }

/// Whether the operand is the TypeIndex of what moves it.
constexpr bool has_type(Op op) noexcept { return op == Op::block || op == Op::call; }
/// The program of a parameter that has no type: one instruction and `end`.
constexpr std::array<Word, 3> instruction_of(Word parameter) noexcept {
  return {parameter & 0xFF, operand_of(parameter), 0};  // without an operand it is 0, and so Op::end
}

/// What the parameters of an operation have in common: the top bits of a plan.
enum class Plan : Word {
  each,     ///< nothing in common: one by one
  nothing,  ///< no parameters
  /// All have a fixed size and are plain memory, and the CDR of each looks like its memory if the first begins at a multiple of 8. The
  /// plan holds their octets in a request (14 bits) and in a reply (14 bits), so that room has to be checked only once.
  fixed,
  /// At most most_alike numbers of so many octets, or strings. Which travel in a request (8 bits) and in a reply (8 bits), the first
  /// one lowest; how many (4 bits each).
  numbers1,
  numbers2,
  numbers4,
  numbers8,
  strings,
};
constexpr Word largest_fixed = 0x3FFF;
constexpr unsigned most_alike = 8;

constexpr Plan kind_of(Word plan) noexcept { return static_cast<Plan>(plan >> 28); }
constexpr std::size_t fixed_octets(Word plan, Direction direction) noexcept {
  return (direction == in_request ? plan : plan >> 14) & largest_fixed;
}
constexpr unsigned alike_mask(Word plan, Direction direction) noexcept {
  return (direction == in_request ? plan : plan >> 8) & 0xFF;
}
constexpr unsigned alike_count(Word plan, Direction direction) noexcept {
  return (direction == in_request ? plan >> 16 : plan >> 20) & 0xF;
}

/// Programs are written with these. A constant for which one of them would throw does not compile.
namespace fields {

using marshal::no_case;
using marshal::Op;
using marshal::Plan;
using enum TypeFlags;
using enum BlockFlags;

constexpr Word head(std::size_t size, std::size_t align, Word flags) {
  if (size > largest_size) not_constant("a type above 16 MiB: have it compiled (@tenon::compiled)");
  return static_cast<Word>(size << 8) | flags | static_cast<Word>(std::countr_zero(align));
}
/// The first word of C++ type T.
template <typename T>
consteval Word head_of(Word flags = 0) {
  return head(sizeof(T), alignof(T), flags | (std::is_trivially_copyable_v<T> ? type_plain : Word{0}));
}
/// The first word of an instruction.
constexpr Word at(Op op, std::size_t offset = 0) {
  if (offset > largest_size)
    not_constant("a member beyond 16 MiB: have the type compiled (@tenon::compiled)");
  return static_cast<Word>(offset << 8) | static_cast<Word>(op);
}

// Operands.
constexpr Word bound(Word most) { return most; }
constexpr Word count(Word elements) { return elements; }
constexpr Word enumerators(Word number) { return number; }
constexpr Word digits(Word all, Word scale) { return all << 16 | scale; }
constexpr Word smallest(Word octets) { return octets; }
constexpr Word type(TypeIndex index) { return index; }
constexpr Word bytes(Word size) { return size; }
constexpr Word cases(Word place) { return place; }
constexpr Word foreign_class(Word index) { return index; }
/// `align`: the largest alignment of a part.
constexpr Word parts(Word words, std::size_t align, Word flags = 0) {
  return words << 8 | flags | static_cast<Word>(std::countr_zero(align));
}
/// Four bytes of a block, a letter for each: "..c_".
constexpr Word mask(const char (&letters)[5]) {
  std::array<std::uint8_t, 4> octets{};
  for (std::size_t i = 0; i < octets.size(); ++i) octets[i] = cdr::mask_of(letters[i]);
  return std::bit_cast<Word>(octets);
}

// Cases of a union.
constexpr Word discriminator(Op op) { return static_cast<Word>(op); }
constexpr Word labels(Word number) { return number; }
constexpr Word which(Word number) { return number; }
/// The two halves of a label.
template <typename T>
constexpr Word low_label(T label) {
  return static_cast<Word>(static_cast<std::uint64_t>(label));
}
template <typename T>
constexpr Word high_label(T label) {
  return static_cast<Word>(static_cast<std::uint64_t>(label) >> 32);
}

// Parameters; results travel as out().
constexpr Word parameter(Word directions, Op op, Word operand = 0) {
  if (operand > largest_operand)
    not_constant("more than two million words of tables, or enumerators: two IDL files");
  return directions | operand << 8 | static_cast<Word>(op);
}
constexpr Word in(Op op, Word operand = 0) { return parameter(in_request, op, operand); }
constexpr Word out(Op op, Word operand = 0) { return parameter(in_reply, op, operand); }
constexpr Word inout(Op op, Word operand = 0) { return parameter(in_request | in_reply, op, operand); }
/// `known`: the tables describe the value's memory.
constexpr Word kept_in(Op op, Word operand, bool known = true) {
  return in(op, operand) | (known ? kept : Word{0});
}
constexpr Word kept_inout(Op op, Word operand, bool known = true) {
  return inout(op, operand) | (known ? kept : Word{0});
}

/// What a plan holds for each direction: octets, or a bit for each parameter that travels, the first one lowest.
struct Travel {
  Word request = 0;
  Word reply = 0;
};
constexpr Word plan(Plan kind) { return static_cast<Word>(kind) << 28; }
constexpr Word fixed_plan(Travel octets) {
  if (octets.request > largest_fixed || octets.reply > largest_fixed)
    not_constant("parameters beyond 16 KiB are not of fixed size");
  return plan(Plan::fixed) | octets.request | octets.reply << 14;
}
constexpr Word alike_plan(Plan kind, Travel which) {
  return plan(kind) | static_cast<Word>(std::popcount(which.reply)) << 20 |
         static_cast<Word>(std::popcount(which.request)) << 16 | which.reply << 8 | which.request;
}

}  // namespace fields
using fields::at;
using fields::head;
using fields::head_of;
using fields::parameter;
using fields::plan;

}  // namespace tenon::marshal
