// SPDX-License-Identifier: Apache-2.0
//
// The parameters of an operation, moved all at once. One word for each says when it travels and how it is moved; small values need no
// type of their own for that (words.hpp):
//
//   op: copy1 .. copy8, boolean, character, enumeration (operand: its count), string;
//       block (operand: TypeIndex of a type that is one block and nothing else), call (operand: TypeIndex of any type)
//
// A plan, one more word, says what they have in common, which makes them faster (Plan). Values are reached through an array of
// addresses, one for each parameter in the order of the words. Constant; any thread.
#pragma once

#include "marshal/program.hpp"

namespace tenon::marshal {

/// Whether the compiler is to make small code rather than fast code (-Os). Ways beside the general one, which are there for speed alone,
/// are then not used, and so not linked.
#ifdef __OPTIMIZE_SIZE__
constexpr bool small_code = true;
#else
constexpr bool small_code = false;
#endif

struct Parameters {
  const Unit& unit;
  const Word* words;  ///< one for each
  unsigned count;
  Word plan = fields::plan(Plan::each);
};

/// Parameters of any kind, one by one. Errors stay in the writer or reader; decode_each() may throw std::bad_alloc.
void encode_each(const Parameters& all, Direction direction, cdr::Writer& out, const void* const* values);
void decode_each(const Parameters& all, Direction direction, cdr::Reader& in, void* const* values);
/// The same by a plan of the kind `fixed`.
void encode_fixed(const Parameters& all, Direction direction, cdr::Writer& out, const void* const* values);
void decode_fixed(const Parameters& all, Direction direction, cdr::Reader& in, void* const* values);

/// The memory of a parameter in a frame is a multiple of this, so that most sizes are known without looking at the type.
constexpr std::size_t smallest_slot = 8;
inline std::size_t type_slot_size(const Unit& unit, Word parameter) noexcept {
  return (size_of(*unit.type(operand_of(parameter))) + smallest_slot - 1) & ~(smallest_slot - 1);
}
/// The slot of a parameter that travels by the plan `fixed`.
inline std::size_t fixed_slot_size(const Unit& unit, Word parameter) noexcept {
  return op_of(parameter) == Op::block ? type_slot_size(unit, parameter) : smallest_slot;
}
inline std::size_t slot_size(const Unit& unit, Word parameter) noexcept {
  if (op_of(parameter) == Op::call) return type_slot_size(unit, parameter);
  return op_of(parameter) == Op::string ? sizeof(std::string) : fixed_slot_size(unit, parameter);
}

// --- parameters that are alike: inline, because the code is little more than the moves themselves ---

/// One kind of plan: encode() writes what travels in a direction, decode() reads it into values that exist. Errors stay in the writer
/// or reader; decode() may throw std::bad_alloc.
template <auto Encode, auto Decode>
struct ByFunctions {
  template <Direction Way>
  static void encode(const Parameters& all, cdr::Writer& out, const void* const* values) {
    Encode(all, Way, out, values);
  }
  template <Direction Way>
  static void decode(const Parameters& all, cdr::Reader& in, void* const* values) {
    Decode(all, Way, in, values);
  }
};
using OneByOne = ByFunctions<encode_each, decode_each>;
using OfFixedSize = ByFunctions<encode_fixed, decode_fixed>;

struct Nothing {
  template <Direction Way>
  static void encode(const Parameters&, cdr::Writer&, const void* const*) noexcept {}
  template <Direction Way>
  static void decode(const Parameters&, cdr::Reader&, void* const*) noexcept {}
};

struct OnlyStrings {
  template <Direction Way>
  static void encode(const Parameters& all, cdr::Writer& out, const void* const* values) {
    for (unsigned left = alike_mask(all.plan, Way); left != 0; left >>= 1, ++values) {
      if ((left & 1) != 0) out.put_string(*static_cast<const std::string*>(*values));
    }
  }
  template <Direction Way>
  static void decode(const Parameters& all, cdr::Reader& in, void* const* values) {
    for (unsigned left = alike_mask(all.plan, Way); left != 0; left >>= 1, ++values) {
      if ((left & 1) != 0) in.get_string(*static_cast<std::string*>(*values));
    }
  }
};

/// Numbers in a frame: one every eight octets, so no address has to be looked up.
template <typename Octets>
struct Slots {
  Octets* first;
  Octets* operator[](int number) const noexcept {
    return first + static_cast<std::size_t>(number) * smallest_slot;
  }
};

/// `places`: the same addresses as `values`, by an object whose operator[] gives the address of a parameter.
template <typename T>
struct OnlyNumbers {
  template <Direction Way>
  static void encode(const Parameters& all, cdr::Writer& out, const void* const* values) {
    encode<Way>(all, out, values, values);
  }
  template <Direction Way, typename Places>
  static void encode(const Parameters& all, cdr::Writer& out, const void* const* values, Places places) {
    std::uint8_t* to = out.try_claim(alike_count(all.plan, Way) * sizeof(T), sizeof(T));
    if (to == nullptr) [[unlikely]]
      return encode_each(all, Way, out, values);
    for (unsigned left = alike_mask(all.plan, Way); left != 0; left &= left - 1) {
      std::memcpy(to, places[std::countr_zero(left)], sizeof(T));
      to += sizeof(T);
    }
  }
  template <Direction Way>
  static void decode(const Parameters& all, cdr::Reader& in, void* const* values) {
    decode<Way>(all, in, values, values);
  }
  template <Direction Way, typename Places>
  static void decode(const Parameters& all, cdr::Reader& in, void* const* values, Places places) {
    const std::uint8_t* from = in.try_claim(alike_count(all.plan, Way) * sizeof(T), sizeof(T));
    if (from == nullptr) [[unlikely]]
      return decode_each(all, Way, in, values);
    for (unsigned left = alike_mask(all.plan, Way); left != 0; left &= left - 1) {
      std::memcpy(places[std::countr_zero(left)], from, sizeof(T));
      from += sizeof(T);
    }
  }
};

/// Calls `visit` with the class that moves parameters of that kind, so that code that writes and reads them asks once.
template <typename Visit>
void by_plan(Plan kind, const Visit& visit) {
  if constexpr (small_code) return visit(OneByOne());
  switch (kind) {  // NOLINT(bugprone-branch-clone): some that visit do the same for several
    case Plan::each: return visit(OneByOne());
    case Plan::nothing: return visit(Nothing());
    case Plan::numbers1: return visit(OnlyNumbers<std::uint8_t>());
    case Plan::numbers2: return visit(OnlyNumbers<std::uint16_t>());
    case Plan::numbers4: return visit(OnlyNumbers<std::uint32_t>());
    case Plan::numbers8: return visit(OnlyNumbers<std::uint64_t>());
    case Plan::strings: return visit(OnlyStrings());
    case Plan::fixed: return visit(OfFixedSize());
    default: __builtin_unreachable();
  }
}

}  // namespace tenon::marshal
