// SPDX-License-Identifier: Apache-2.0
#include "sample.hpp"

#include <cstring>

#include "cdr/writer.hpp"
#include "types/typecode.hpp"
#include "types/typecode_cdr.hpp"

namespace tenon::bench {
namespace {

using types::Kind;
using types::TypeCode;

constexpr TypeCode short_type = types::basic_type(Kind::tk_short);
constexpr TypeCode long_type = types::basic_type(Kind::tk_long);
constexpr TypeCode char_type = types::basic_type(Kind::tk_char);
constexpr TypeCode octet_type = types::basic_type(Kind::tk_octet);
constexpr TypeCode double_type = types::basic_type(Kind::tk_double);
constexpr TypeCode boolean_type = types::basic_type(Kind::tk_boolean);
constexpr types::Member binstruct_members[] = {
    {"s", &short_type}, {"c", &char_type}, {"l", &long_type}, {"o", &octet_type}, {"d", &double_type}};
constexpr TypeCode binstruct_type =
    types::struct_type("IDL:tenon.bench/BenchMarshal/BinStruct:1.0", "BinStruct", binstruct_members);

const TypeCode& element_type(Type type) {
  switch (type) {
    case Type::short_: return short_type;
    case Type::long_: return long_type;
    case Type::char_: return char_type;
    case Type::octet_: return octet_type;
    case Type::double_: return double_type;
    case Type::binstruct: return binstruct_type;
    case Type::boolean: return boolean_type;
  }
  return octet_type;
}

/// Every value is another one, and none is a palindrome of bytes: a swap that is missing shows.
std::uint64_t mixed(std::size_t index) { return (index + 1) * 0x9E3779B97F4A7C15u; }

char letter(std::size_t index) { return static_cast<char>(' ' + index % 95); }

BinStruct struct_at(std::size_t index) {
  const std::uint64_t bits = mixed(index);
  return {.s = static_cast<std::int16_t>(bits),
          .c = letter(index),
          .pad1 = 0,
          .l = static_cast<std::int32_t>(bits >> 16),
          .o = static_cast<std::uint8_t>(bits >> 48),
          .pad2 = {},
          .d = static_cast<double>(index) + 0.125};
}

}  // namespace

std::vector<std::uint8_t> sample_memory(Type type, std::size_t bytes) {
  const std::size_t size = size_of(type);
  const std::size_t count = bytes / size;
  std::vector<std::uint8_t> memory(count * size);
  for (std::size_t i = 0; i < count; ++i) {
    std::uint8_t* at = memory.data() + i * size;
    const std::uint64_t bits = mixed(i);
    if (type == Type::binstruct) {
      const BinStruct one = struct_at(i);
      std::memcpy(at, &one, sizeof one);
    } else if (type == Type::double_) {
      const double one = static_cast<double>(i) + 0.125;
      std::memcpy(at, &one, sizeof one);
    } else if (type == Type::char_) {
      *at = static_cast<std::uint8_t>(letter(i));
    } else if (type == Type::boolean) {
      *at = static_cast<std::uint8_t>(bits >> 63);
    } else {
      std::memcpy(at, &bits, size);
    }
  }
  return memory;
}

std::vector<std::uint8_t> sequence_typecode(Type type) {
  cdr::Writer out;
  types::write(out, types::sequence_type(element_type(type)));
  return out.copy();
}

}  // namespace tenon::bench
