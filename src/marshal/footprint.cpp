// SPDX-License-Identifier: Apache-2.0
#include "marshal/footprint.hpp"

#include <string>
#include <vector>

#include "base/raw_vector.hpp"
#include "marshal/block.hpp"
#include "marshal/memory.hpp"

namespace tenon::marshal {

namespace {

std::size_t of_value(const Unit& unit, const Word* type, const std::byte* memory) noexcept;

std::size_t of_values(const Unit& unit, const Word* type, const std::byte* first,
                      std::size_t count) noexcept {
  if ((*type & type_plain) != 0) return 0;
  std::size_t sum = 0;
  for (std::size_t i = 0; i < count; ++i) sum += of_value(unit, type, first + i * size_of(*type));
  return sum;
}

std::size_t of_strings(const Strings& texts) noexcept {
  std::size_t sum = texts.capacity() * sizeof(std::string);
  for (const std::string& text : texts) sum += text.capacity();
  return sum;
}

/// The memory that a part holds, for kinds that of_value() does not know itself.
std::size_t of_part(const Unit& unit, const Word* at, const std::byte* part) noexcept {
  switch (op_of(*at)) {
    case Op::bounded_string: return as<std::string>(part).capacity();
    case Op::wide_string:
    case Op::bounded_wide_string: return as<std::wstring>(part).capacity() * sizeof(wchar_t);
    case Op::booleans: return as<Booleans>(part).capacity() / 8;
    case Op::sequence1:
    case Op::sequence2:
    case Op::sequence4:
    case Op::sequence8:
    case Op::characters: return load_vector(part).room();
    case Op::sequence: {
      const RawVector vector = load_vector(part);
      const Word* type = unit.type(at[3]);
      if (vector.begin == nullptr) return 0;
      return vector.room() + of_values(unit, type, vector.begin, vector.bytes() / size_of(*type));
    }
    case Op::array: return of_values(unit, unit.type(at[2]), part, at[1]);
    case Op::call: return of_value(unit, unit.type(at[1]), part);
    case Op::foreign: {
      const Foreign& other = *unit.foreign[at[1]];
      return other.unit != nullptr ? of_value(*other.unit, other.unit->type(other.type), part) : 0;
    }
    default: return 0;
  }
}

std::size_t of_value(const Unit& unit, const Word* type, const std::byte* memory) noexcept {
  std::size_t sum = 0;
  const Word* at = type + 1;
  for (;;) {
    const std::byte* const part = memory + offset_of(*at);
    switch (op_of(*at)) {
      case Op::end: return sum;
      case Op::string:
        sum += as<std::string>(part).capacity();
        ++at;
        continue;
      case Op::strings:
        sum += of_strings(as<Strings>(part));
        at += length_of(Op::strings);
        continue;
      case Op::call:
        if (op_of(at[length_of(Op::call)]) != Op::end) break;
        at = unit.type(at[1]) + 1;  // no instruction follows the call, so there is no need to return
        memory = part;
        continue;
      default: break;
    }
    sum += of_part(unit, at, part);
    at = past(at);
  }
}

}  // namespace

std::size_t footprint(const Unit& unit, TypeIndex type, const void* value) noexcept {
  return of_value(unit, unit.type(type), static_cast<const std::byte*>(value));
}

}  // namespace tenon::marshal
