// SPDX-License-Identifier: Apache-2.0
//
// How IDL types are spelled in C++: the mapped type, its codec, how values are passed, written and read; and which structs are
// blocks (memory equal to CDR). Pure functions of the model.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "idl/model/model.hpp"
#include "idl/model/query.hpp"

namespace tenon::idl::cpp {

// The class of references to an interface. One that the program only declares forward has none: its references are to plain objects.
std::string interface_class(const model::Interface& decl);
// A reference to a value of that class.
std::string value_reference_to(const std::string& value);
// The mapped type: "std::vector<::Calc::Sample>"; the name of an alias where the program gave one.
std::string cpp_type(const model::Type& type);
// The type of an `in` parameter (IDL to C++11 1.6 §6.24): by value or const&.
std::string in_type(const model::Type& type);
// What reads and writes it: "gen::Sequence<gen::Codec<double>, 100>"; `gen` is the spelling of tenon::gen.
std::string codec(const model::Type& type, const std::string& gen);

// Read and written by Reader::get<T>() and Writer::put(): what gen::Primitive covers.
bool is_plain(const model::Type& type);
// Passed by value everywhere: primitives, enums, bitmasks.
bool is_scalar(const model::Type& type);
// A value type, a box, ValueBase.
bool is_value(const model::Type& type);
// A counted reference: values, interfaces, Object, TypeCode.
bool is_reference(const model::Type& type);

// Some @value differs from the ordinal, which is what travels (docs/idl.md).
bool has_values(const model::Enum& decl);

// What a member starts with where "{}" is no value of its type: an enum whose first enumerator is not 0, and arrays of such. The first
// enumerator, as IDL to C++11 wants; else "".
std::string initial(const model::Type& type);

// "out.put(a)" and "a = in.get<T>()" or the same through a codec. `in` and `out` name the reader and writer.
std::string put_statement(const model::Type& type, const std::string& value, const std::string& gen);
std::string get_statement(const model::Type& type, const std::string& value, const std::string& gen);

// A literal of the constant's type: "5", "'a'", "\"text\"", "::Calc::Rounding::up".
std::string literal(const model::Value& value, const model::Type& type);

// A struct or array element as it lies in memory and on the wire, when the two are equal.
struct BlockLayout {
  std::uint64_t size = 0;              // sizeof
  std::uint64_t end = 0;               // CDR bytes from an aligned start; less than size by trailing padding
  std::uint64_t align = 1;             // alignof, the largest CDR alignment inside
  std::uint64_t first_align = 1;       // of the first primitive
  std::vector<std::uint64_t> padding;  // bytes before each member, and behind the last
};
// Nothing unless a whole sequence of the struct is one block: then memory from the second element on is what CDR has there.
std::optional<BlockLayout> block_layout(const model::Struct& decl);
// The members from the first one on that lie in memory as they do in CDR, wherever the first one lies; as many as there are paddings.
// None is more aligned than the first, so its address decides where all of them are. `size` ends with the last one.
BlockLayout block_run(std::span<const model::Member> members);
// Bytes of memory of a type that is part of a block.
std::uint64_t block_part_size(const model::Type& type);

}  // namespace tenon::idl::cpp
