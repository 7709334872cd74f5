// SPDX-License-Identifier: Apache-2.0
//
// Marshal programs: a type as a flat sequence of 32-bit words, which says where each part of a value lies in memory and how it
// travels. Encoding, decoding, constructing, freeing, copying, comparing, skipping, transcoding and printing all run the same words.
//
// What a word says is in words.hpp. A type begins with one word that describes its memory, its instructions follow, the last one is
// `end`.
//
// The words of one IDL file, or of one TypeCode, are a Unit; types in it are named by the index of their first word. Words hold no
// address, so that they are constant data which no loader has to touch. What needs one (classes whose memory only C++ knows: unions,
// maps, object references) is reached through the unit's table of Foreign entries.
//
// Memory is laid out as C++ does it for the mapped types; std::vector is known by its three pointers (layout.hpp).
// Constant, so safe from any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "cdr/reader.hpp"
#include "cdr/writer.hpp"
#include "marshal/words.hpp"

namespace tenon::marshal {

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
  /// Do what a codec does; choice and map need none.
  void (*put)(cdr::Writer& out, const void* from) = nullptr;
  void (*get)(cdr::Reader& in, void* into) = nullptr;
  /// Constructs a copy; equality. Null where no program copies or compares (generated code does that in C++).
  void (*copy)(void* to, const void* from) = nullptr;
  bool (*equal)(const void* a, const void* b) = nullptr;
  /// For choice: the discriminator sign-extended; the member that is selected, or null; and making the member that a discriminator
  /// selects (case number as in the unit's cases, -1 for none), newly constructed, or null.
  std::int64_t (*label)(const void* at) = nullptr;
  const void* (*member)(const void* at) = nullptr;
  void* (*select)(void* at, std::int64_t label, int which) = nullptr;
  /// For map: the count; a visit to each entry; a new entry for `key`, which is moved from, and the place of the entry's value, or null
  /// when there is an entry for the key already; removing all entries.
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
constexpr unsigned case_words = 4;
constexpr unsigned cases_head = 6;

class ValueTypes;

/// Goes through a part whose op is of one group; the first arguments of put, get and skip are the classes of encode.cpp, decode.cpp and
/// skip.cpp. The first two return the instruction that follows. Called in builds for size only, and empty in others.
struct Moves {
  Group group = Group::common;
  const Word* (*put)(void* encoder, const Word* at, const std::byte* from) = nullptr;
  const Word* (*get)(void* decoder, const Word* at, std::byte* into) = nullptr;
  void (*skip)(void* skipper, const Word* at) = nullptr;
  /// The part is in zeroed memory.
  void (*construct)(const Unit& unit, const Word* at, std::byte* part) = nullptr;
  void (*destroy)(const Unit& unit, const Word* at, std::byte* part) noexcept = nullptr;
};

/// The groups by name, in moves.cpp. A program that names none of them links none of them.
namespace moves {
extern const Moves arrays, numbers, booleans, strings, sequences, wide, long_double, fixed, unions, maps;
extern const Moves* const all[];
}  // namespace moves

/// A table of programs. Lives as long as anything that runs them.
struct Unit {
  const Word* words = nullptr;
  const Foreign* const* foreign = nullptr;
  const ValueTypes* values = nullptr;  ///< of types met at run time
  const Moves* const* moves =
      moves::all;  ///< of each group that the words have ops of, but for Group::common

  const Word* type(TypeIndex index) const noexcept { return words + index; }
  /// Those for an op that is not common.
  const Moves& moves_of(Op op) const noexcept;
};

/// Writes the value at `memory`, which is of type `type`. Errors stay in the writer.
void encode(const Unit& unit, TypeIndex type, cdr::Writer& out, const void* memory);
/// Reads into a value that exists; what it held is reused or freed. Errors stay in the reader, and the value is then valid but
/// unspecified. May throw std::bad_alloc. Allocates no more than what the bytes that are there justify.
void decode(const Unit& unit, TypeIndex type, cdr::Reader& in, void* memory);

/// Elements without octets (of types that IDL cannot write) that are read one after the other, at most: a few octets could claim
/// any number of them.
constexpr std::size_t most_empty = 1024;

/// Constructs a value in raw memory: numbers 0, texts and sequences empty.
void construct(const Unit& unit, TypeIndex type, void* memory);
/// Ends a value's life.
void destroy(const Unit& unit, TypeIndex type, void* memory) noexcept;
/// Constructs a copy in raw memory. Any value can be copied if its foreign parts can (Foreign::copy). References to values are copied
/// as references.
void copy(const Unit& unit, TypeIndex type, void* to, const void* from);
/// Compares floating point by its bits, and values as graphs: equal values that are shared in the same places.
bool equal(const Unit& unit, TypeIndex type, const void* a, const void* b);

/// Passes over a value on the wire. Text without a bound is not looked into.
void skip(const Unit& unit, TypeIndex type, cdr::Reader& in);

/// Appends a value as text, for logs: {0x0001, 'c', "text"}. Programs know neither names nor signs nor floating point, so numbers
/// are their bits in hexadecimal; types::print() knows more, of a value on the wire.
void print(const Unit& unit, TypeIndex type, std::string& out, const void* memory);

}  // namespace tenon::marshal
