// SPDX-License-Identifier: Apache-2.0
//
// The values under measurement: 64 KiB of elements of one type, as they lie in memory, and the TypeCode of the sequence.
// Not the generated types: the rungs of the ladder see memory, as the interpreters of their time did.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "base/bytes.hpp"

namespace tenon::bench {

enum class Type { short_, long_, char_, octet_, double_, binstruct, boolean };

struct TypeName {
  Type type;
  std::string_view name;
  std::size_t size;  ///< of an element in memory
};
inline constexpr std::array<TypeName, 7> types = {{{Type::short_, "short", 2},
                                                   {Type::long_, "long", 4},
                                                   {Type::char_, "char", 1},
                                                   {Type::octet_, "octet", 1},
                                                   {Type::double_, "double", 8},
                                                   {Type::binstruct, "binstruct", 24},
                                                   {Type::boolean, "boolean", 1}}};
/// The types of the TTCP benchmark; boolean is none of them.
inline constexpr std::size_t ttcp_types = 6;

constexpr std::size_t size_of(Type type) { return types[static_cast<std::size_t>(type)].size; }

/// As the generated class lies in memory, padding included.
struct BinStruct {
  std::int16_t s;
  char c;
  std::uint8_t pad1;
  std::int32_t l;
  std::uint8_t o;
  std::uint8_t pad2[7];
  double d;
};
static_assert(sizeof(BinStruct) == 24);

inline constexpr std::size_t buffer_bytes = 64 * 1024;

/// `bytes` of elements, rounded down to whole ones; padding is zero.
std::vector<std::uint8_t> sample_memory(Type type, std::size_t bytes = buffer_bytes);

/// The TypeCode of sequence<type> in CDR, in native order; starts at a multiple of 8.
std::vector<std::uint8_t> sequence_typecode(Type type);

}  // namespace tenon::bench
