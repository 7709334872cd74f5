// SPDX-License-Identifier: Apache-2.0
//
// Marshal programs: a type as a flat sequence of 32-bit words, which says where each part of a value lies in memory and how it
// travels. Encoding, decoding, constructing, freeing, copying, comparing, skipping, transcoding and printing all run the same words.
//
//   an instruction       31                  8 7        0
//                       |  offset in memory   |   op    |   then the operands of the op, one word each
//
// A type begins with one word that describes its memory, its instructions follow, the last one is `end`:
//
//   a type's first word  31                  8 7    6     5     4  3        0
//                       |  size in memory     | zero| plain|  -  | log2 align |
//
// The words of one IDL file, or of one TypeCode, are a Unit; types in it are named by the index of their first word. Words hold no
// address, so that they are constant data which no loader has to touch. What needs one (classes whose memory only C++ knows: unions,
// maps, object references) is reached through the unit's table of Foreign entries.
//
// Memory is laid out as C++ does it for the mapped types; std::vector is known by its three pointers (layout.hpp).
// Constant, so safe from any thread.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>

#include "cdr/reader.hpp"
#include "cdr/writer.hpp"

namespace tenon::marshal {

using Word = std::uint32_t;
/// A type of a unit: the index of its first word.
using TypeIndex = std::uint32_t;

/// Operands follow the op's name in the order in which they stand.
enum class Op : std::uint8_t {
  end,
  copy1,      ///< octet, int8, uint8, bitmasks of up to 8 bits
  copy2,      ///< short, unsigned short ...
  copy4,      ///< long, unsigned long, float ...
  copy8,      ///< long long, unsigned long long, double ...
  boolean,    ///< checked: 0 or 1
  character,  ///< char, converted
  wide_character,
  long_double,
  enumeration,  ///< count: enumerators 0 .. count-1, checked
  fixed,        ///< digits << 16 | scale: a tenon::Fixed
  string,
  wide_string,
  bounded_string,       ///< bound
  bounded_wide_string,  ///< bound
  sequence1,            ///< bound: a vector of what copy1 moves; bound 0 is none
  sequence2,            ///< bound
  sequence4,            ///< bound
  sequence8,            ///< bound
  characters,           ///< bound: std::vector<char>
  booleans,             ///< bound: std::vector<bool>
  strings,              ///< bound: std::vector<std::string>
  sequence,             ///< bound, smallest bytes of an element on the wire, TypeIndex of the element
  array1,               ///< count: what copy1 moves, side by side
  array2,               ///< count
  array4,               ///< count
  array8,               ///< count
  character_array,      ///< count
  boolean_array,        ///< count: bools
  array,                ///< count, TypeIndex of the element
  /// A part of its own, as recursive types need: TypeIndex.
  call,
  /// The parts that follow, `words` words of instructions, are of fixed size, and their memory is their CDR where they begin at a
  /// multiple of the largest alignment: bytes without trailing padding (at most largest_block), words << 8 | flags (BlockFlags and
  /// log2 of the alignment); then a ByteMask for each byte, four to a word, the first one lowest, up to a multiple of eight bytes.
  /// Padding must be zero in memory.
  block,
  choice,  ///< a union: index of its UnionCases in the unit's words, Foreign index or no_foreign
  map,     ///< Foreign index, bound, smallest bytes of an entry, TypeIndex of the key, TypeIndex of the value
  reference,  ///< an object reference: Foreign index
  any,        ///< Foreign index
  typecode,   ///< Foreign index
  value,      ///< a value type: Foreign index
  /// Anything whose C++ class has a codec of its own: Foreign index, smallest bytes on the wire.
  foreign,
  held,  ///< a value whose types are known by TypeCode only (held_value.hpp): number of the expected ValueType, or no_value_type
  count_of_ops
};

/// Words of an instruction, its operands included; of block without the masks.
constexpr unsigned length_of(Op op) noexcept {
  switch (op) {
    case Op::end:
    case Op::copy1:
    case Op::copy2:
    case Op::copy4:
    case Op::copy8:
    case Op::boolean:
    case Op::character:
    case Op::wide_character:
    case Op::long_double:
    case Op::string:
    case Op::wide_string: return 1;
    case Op::enumeration:
    case Op::fixed:
    case Op::bounded_string:
    case Op::bounded_wide_string:
    case Op::sequence1:
    case Op::sequence2:
    case Op::sequence4:
    case Op::sequence8:
    case Op::characters:
    case Op::booleans:
    case Op::strings:
    case Op::array1:
    case Op::array2:
    case Op::array4:
    case Op::array8:
    case Op::character_array:
    case Op::boolean_array:
    case Op::call:
    case Op::reference:
    case Op::any:
    case Op::typecode:
    case Op::value:
    case Op::held: return 2;
    case Op::array:
    case Op::block:
    case Op::choice:
    case Op::foreign: return 3;
    case Op::sequence: return 4;
    case Op::map: return 6;
    case Op::count_of_ops: break;
  }
  return 1;
}

/// In the last operand of `block`.
enum BlockFlags : Word {
  block_align_mask = 0x0F,    ///< log2 of the largest alignment
  block_enumerations = 0x10,  ///< has enumerations, which are checked one by one in what a peer sent
  block_characters = 0x20,    ///< has chars: a block only where their octets need no conversion
  /// Side by side in memory (a sequence, an array) such blocks are still their CDR: no trailing padding, or the first part has the
  /// largest alignment.
  block_repeats = 0x40,
};
constexpr std::size_t largest_block = 1024;
constexpr std::size_t mask_words(std::size_t block_bytes) noexcept { return (block_bytes + 7) / 8 * 2; }

/// What a byte of a block may hold: but for padding the bits that must not be set.
enum ByteMask : std::uint8_t {
  any_octet = 0,
  char_octet = 0x80,  ///< where chars are not of ISO 8859-1
  boolean_octet = 0xFE,
  padding_octet = 0xFF,  ///< anything on the wire, zero in memory
};

/// length_of() whatever an instruction's octet is, without a branch.
inline constexpr auto lengths = [] {
  std::array<std::uint8_t, 256> table{};
  for (unsigned op = 0; op != table.size(); ++op)
    table[op] = static_cast<std::uint8_t>(length_of(static_cast<Op>(op)));
  return table;
}();

/// The instruction after this one; after a block its first part.
constexpr const Word* next(const Word* at) noexcept {
  const Word op = *at & 0xFF;
  return at + lengths[op] + (op == static_cast<Word>(Op::block) ? mask_words(at[1]) : 0);
}

constexpr Word no_foreign = 0xFFFFFFFF;

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

constexpr Word head(std::size_t size, std::size_t align, Word flags) {
  if (size > largest_size) throw "a type above 16 MiB: have it compiled (@tenon::compiled)";
  return static_cast<Word>(size << 8) | flags | static_cast<Word>(std::countr_zero(align));
}
/// The first word of C++ type T.
template <typename T>
consteval Word head_of(Word flags = 0) {
  return head(sizeof(T), alignof(T), flags | (std::is_trivially_copyable_v<T> ? type_plain : Word{0}));
}
/// The first word of an instruction.
constexpr Word at(Op op, std::size_t offset = 0) {
  if (offset > largest_size) throw "a member beyond 16 MiB: have the type compiled (@tenon::compiled)";
  return static_cast<Word>(offset << 8) | static_cast<Word>(op);
}

struct Unit;

/// How a class is reached whose memory only C++ knows.
struct Foreign {
  std::uint32_t size = 0;
  std::uint32_t align = 1;
  /// Another unit whose program `type` is what the codec runs, where there is one.
  const Unit* unit = nullptr;
  TypeIndex type = 0;
  void (*construct)(void* at) = nullptr;
  void (*destroy)(void* at) noexcept = nullptr;
  /// As a codec does it; of choice and map not needed.
  void (*put)(cdr::Writer& out, const void* from) = nullptr;
  void (*get)(cdr::Reader& in, void* into) = nullptr;
  /// Constructs a copy; equality. Null where no program copies or compares (generated code does that in C++).
  void (*copy)(void* to, const void* from) = nullptr;
  bool (*equal)(const void* a, const void* b) = nullptr;
  /// Of choice: the discriminator sign-extended; the member that is selected, or null; and making the member that a discriminator
  /// selects (case number as in the unit's cases, -1 for none), newly constructed, or null.
  std::int64_t (*label)(const void* at) = nullptr;
  const void* (*member)(const void* at) = nullptr;
  void* (*select)(void* at, std::int64_t label, int which) = nullptr;
  /// Of map: the count; a step through the entries (state starts as null, null again at the end); a new entry for `key`, which is
  /// moved from, or null when there is one.
  std::size_t (*entries)(const void* at) = nullptr;
  void (*each)(const void* at, void* context,
               void (*visit)(void* context, const void* key, const void* value)) = nullptr;
  void* (*add)(void* at, void* key) = nullptr;
  void (*clear)(void* at) = nullptr;
};

/// The cases of a union, in the unit's words, where `choice` points to:
///   [0] op of the discriminator (copy1.., boolean, character, enumeration)   [1] count of enumerators, else 0
///   [2] number of labels    [3] TypeIndex of the default case's member, or no_case when a discriminator may stand alone
///   [4] number of the default case as Foreign::select counts, or no_case
///   [5] most bytes of a member in memory, log2 of alignment in the top byte   (only for unions without Foreign)
///   then per label, 4 words: low half, high half, TypeIndex of the member or no_case (an empty case), number of the case
constexpr Word no_case = 0xFFFFFFFF;
constexpr unsigned case_words = 4;
constexpr unsigned cases_head = 6;

class ValueTypes;

/// A table of programs. Lives as long as anything that runs them.
struct Unit {
  const Word* words = nullptr;
  const Foreign* const* foreign = nullptr;
  const ValueTypes* values = nullptr;  ///< of types met at run time

  const Word* type(TypeIndex index) const noexcept { return words + index; }
};

/// Writes the value at `memory`, which is of type `type`. Errors stay in the writer.
void encode(const Unit& unit, TypeIndex type, cdr::Writer& out, const void* memory);
/// Reads into a value that exists; what it held is reused or freed. Errors stay in the reader, and the value is then valid but
/// unspecified. May throw std::bad_alloc. Allocates no more than what the bytes that are there justify.
void decode(const Unit& unit, TypeIndex type, cdr::Reader& in, void* memory);

/// Elements without octets (of types that IDL cannot write) that are read one after the other, at most: a few octets could claim
/// any number of them.
constexpr std::size_t most_empty = 1024;

/// Makes memory a value: numbers 0, texts and sequences empty.
void construct(const Unit& unit, TypeIndex type, void* memory);
/// Ends a value's life.
void destroy(const Unit& unit, TypeIndex type, void* memory) noexcept;
/// Makes raw memory a copy. BAD_PARAM-like misuse does not exist: any value can be copied whose foreign parts can. References to
/// values are copied as references.
void copy(const Unit& unit, TypeIndex type, void* to, const void* from);
/// Floating point is compared by its bits; values as graphs: the same values, shared in the same places.
bool equal(const Unit& unit, TypeIndex type, const void* a, const void* b);

/// Passes over a value on the wire. Text without a bound is not looked into.
void skip(const Unit& unit, TypeIndex type, cdr::Reader& in);

/// Reads a value and writes it into another message: for its phase, byte order, GIOP version and code sets. Numbers keep every bit.
/// An error of the reader is the writer's, too.
void transcode(const Unit& unit, TypeIndex type, cdr::Reader& in, cdr::Writer& out);

/// Appends a value as text, for logs: {0x0001, 'c', "text"}. Programs know neither names nor signs nor floating point, so numbers
/// are their bits in hexadecimal; types::print() knows more, of a value on the wire.
void print(const Unit& unit, TypeIndex type, std::string& out, const void* memory);

}  // namespace tenon::marshal
