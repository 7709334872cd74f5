// SPDX-License-Identifier: Apache-2.0
//
// Twice because values are made and destroyed along the same instructions: the two loops share only the order of cases.
#include "marshal/memory.hpp"

#include <cstring>
#include <string>
#include <vector>

#include "base/fixed.hpp"
#include "marshal/block.hpp"
#include "marshal/choice.hpp"
#include "marshal/held_value.hpp"
#include "marshal/layout.hpp"
#include "marshal/moves.hpp"

namespace tenon::marshal {

namespace {

/// Whether no instruction follows a call: then the loop continues with the called instructions and need not return.
bool is_last(const Word* call) noexcept { return op_of(call[length_of(Op::call)]) == Op::end; }

// --- construct ---

void construct_choice(const Unit& unit, const Word* at, std::byte* memory) {
  auto* own = ::new (static_cast<void*>(memory)) ChoiceHead;
  own->label = Cases(unit.words + at[1]).first_label();
  static_cast<void>(select_member(unit, at, memory, own->label));
}

void construct_parts(const Unit& unit, const Word* at, std::byte* base);

/// Up to `end`, or of one group one part; in zeroed memory.
template <Group group>
[[gnu::always_inline]] inline void construct_each(const Unit& unit, const Word* at, std::byte* base) {
  do {
    std::byte* part = base + offset_of(*at);
    const Op op = op_of(*at);
    if constexpr (group == Group::common) {
      if (op > last_common) {
        unit.moves_of(op).construct(unit, at, part);
        at = past(at);
        continue;
      }
    }
    only<group>(op);
    switch (op) {
      case Op::end: return;
      case Op::fixed: ::new (static_cast<void*>(part)) Fixed; break;
      case Op::string:
        ::new (static_cast<void*>(part)) std::string;
        ++at;
        continue;
      case Op::bounded_string: ::new (static_cast<void*>(part)) std::string; break;
      case Op::wide_string:
      case Op::bounded_wide_string: ::new (static_cast<void*>(part)) std::wstring; break;
      case Op::booleans: ::new (static_cast<void*>(part)) Booleans; break;
      case Op::strings:
        ::new (static_cast<void*>(part)) Strings;
        at += 2;
        continue;
      case Op::array: {
        const Word* type = unit.type(at[2]);
        for (std::size_t i = 0; i < at[1]; ++i) construct_at(unit, type, part + i * size_of(*type));
        break;
      }
      case Op::call: {
        const Word* type = unit.type(at[1]);
        if ((*type & type_zero) != 0) break;
        if (is_last(at)) {
          at = type + 1;
          base = part;
          continue;
        }
        construct_parts(unit, type + 1, part);
        break;
      }
      case Op::choice:
        if (at[2] != no_foreign) {
          unit.foreign[at[2]]->construct(part);
        } else {
          construct_choice(unit, at, part);
        }
        break;
      case Op::map:
      case Op::reference:
      case Op::any:
      case Op::typecode:
      case Op::value:
      case Op::foreign: unit.foreign[at[1]]->construct(part); break;
      default: break;  // zero is its first value
    }
    at = past(at);
  } while (goes_on<group>);
}

void construct_parts(const Unit& unit, const Word* at, std::byte* base) {
  construct_each<handled>(unit, at, base);
}

// --- destroy ---

void destroy_elements(const Unit& unit, const Word* type, const RawVector& vector) noexcept {
  if ((*type & type_plain) == 0) {
    const std::size_t stride = size_of(*type);
    for (std::byte* one = vector.begin; one != vector.end; one += stride) destroy_at(unit, type, one);
  }
  release(vector);
}

void destroy_parts(const Unit& unit, const Word* at, std::byte* base) noexcept;

/// Up to `end`, or of one group one part.
template <Group group>
[[gnu::always_inline]] inline void destroy_each(const Unit& unit, const Word* at, std::byte* base) noexcept {
  do {
    std::byte* part = base + offset_of(*at);
    const Op op = op_of(*at);
    if constexpr (group == Group::common) {
      if (op > last_common) {
        unit.moves_of(op).destroy(unit, at, part);
        at = past(at);
        continue;
      }
    }
    only<group>(op);
    switch (op) {
      case Op::end: return;
      case Op::string: do { std::destroy_at(&as<std::string>(base + offset_of(*at)));
        } while (op_of(*++at) == Op::string);
        continue;
      case Op::bounded_string: std::destroy_at(&as<std::string>(part)); break;
      case Op::wide_string:
      case Op::bounded_wide_string: std::destroy_at(&as<std::wstring>(part)); break;
      case Op::booleans: std::destroy_at(&as<Booleans>(part)); break;
      case Op::strings:
        std::destroy_at(&as<Strings>(part));
        at += 2;
        continue;
      case Op::sequence1:
      case Op::sequence2:
      case Op::sequence4:
      case Op::sequence8:
      case Op::characters: release(load_vector(part)); break;
      case Op::sequence: destroy_elements(unit, unit.type(at[3]), load_vector(part)); break;
      case Op::array: {
        const Word* type = unit.type(at[2]);
        for (std::size_t i = 0; i < at[1]; ++i) destroy_at(unit, type, part + i * size_of(*type));
        break;
      }
      case Op::call: {
        const Word* type = unit.type(at[1]);
        if ((*type & type_plain) != 0) break;
        if (is_last(at)) {
          at = type + 1;
          base = part;
          continue;
        }
        destroy_parts(unit, type + 1, part);
        break;
      }
      case Op::choice:
        if (at[2] != no_foreign) {
          unit.foreign[at[2]]->destroy(part);
        } else {
          const Cases::Case held = Cases(unit.words + at[1]).held(as<ChoiceHead>(part));
          if (held.type != no_case) {
            destroy_at(unit, unit.type(held.type), static_cast<std::byte*>(as<ChoiceHead>(part).member()));
          }
        }
        break;
      case Op::map:
      case Op::reference:
      case Op::any:
      case Op::typecode:
      case Op::value:
      case Op::foreign: unit.foreign[at[1]]->destroy(part); break;
      case Op::held: unit.values->moves->drop(part); break;
      default: break;
    }
    at = past(at);
  } while (goes_on<group>);
}

void destroy_parts(const Unit& unit, const Word* at, std::byte* base) noexcept {
  destroy_each<handled>(unit, at, base);
}

// --- copy: into a value that has just been constructed ---

void assign_parts(const Unit& unit, const Word* at, std::byte* to_base, const std::byte* from_base);

void assign_bytes(std::byte* to, const RawVector& from) {
  RawVector made;
  if (from.bytes() == 0) return;
  made.begin = allocate(from.bytes());
  made.end = made.capacity = made.begin + from.bytes();
  std::memcpy(made.begin, from.begin, from.bytes());
  store_vector(to, made);
}

void assign_elements(const Unit& unit, const Word* type, std::byte* to, const RawVector& from) {
  if ((*type & type_plain) != 0) return assign_bytes(to, from);
  if (from.bytes() == 0) return;
  RawVector made;
  made.begin = made.end = allocate(from.bytes());
  made.capacity = made.begin + from.bytes();
  store_vector(to, made);
  const std::size_t stride = size_of(*type);
  for (const std::byte* one = from.begin; one != from.end; one += stride) {
    copy(unit, static_cast<TypeIndex>(type - unit.words), made.end, one);
    made.end += stride;
    store_vector(to, made);
  }
}

/// The foreign part has been constructed; a copy takes its place.
void assign_foreign(const Foreign& access, std::byte* to, const std::byte* from) {
  access.destroy(to);
  try {
    access.copy(to, from);
  } catch (...) {
    access.construct(to);
    throw;
  }
}

void assign_choice(const Unit& unit, const Word* at, std::byte* to, const std::byte* from) {
  const Selected selected = selected_member(unit, at, from);
  void* member = select_member(unit, at, to, selected.label);
  if (member == nullptr || selected.member == nullptr) return;
  assign_parts(unit, unit.type(selected.type) + 1, static_cast<std::byte*>(member),
               static_cast<const std::byte*>(selected.member));
}

void assign_parts(const Unit& unit, const Word* at, std::byte* to_base, const std::byte* from_base) {
  for (; op_of(*at) != Op::end; at = past(at)) {
    std::byte* to = to_base + offset_of(*at);
    const std::byte* from = from_base + offset_of(*at);
    switch (const Op op = op_of(*at)) {
      case Op::copy1:
      case Op::copy2:
      case Op::copy4:
      case Op::copy8:
      case Op::boolean:
      case Op::character:
      case Op::wide_character:
      case Op::long_double:
      case Op::enumeration: std::memcpy(to, from, primitive_size(op)); break;
      case Op::array1:
      case Op::array2:
      case Op::array4:
      case Op::array8:
      case Op::character_array:
      case Op::boolean_array: std::memcpy(to, from, at[1] * primitive_size(op)); break;
      case Op::block: std::memcpy(to, from, at[1]); break;
      case Op::fixed: as<Fixed>(to) = as<Fixed>(from); break;
      case Op::string:
      case Op::bounded_string: as<std::string>(to) = as<std::string>(from); break;
      case Op::wide_string:
      case Op::bounded_wide_string: as<std::wstring>(to) = as<std::wstring>(from); break;
      case Op::booleans: as<Booleans>(to) = as<Booleans>(from); break;
      case Op::strings: as<Strings>(to) = as<Strings>(from); break;
      case Op::sequence1:
      case Op::sequence2:
      case Op::sequence4:
      case Op::sequence8:
      case Op::characters: assign_bytes(to, load_vector(from)); break;
      case Op::sequence: assign_elements(unit, unit.type(at[3]), to, load_vector(from)); break;
      case Op::array: {
        const Word* type = unit.type(at[2]);
        for (std::size_t i = 0; i < at[1]; ++i) {
          assign_parts(unit, type + 1, to + i * size_of(*type), from + i * size_of(*type));
        }
        break;
      }
      case Op::call: assign_parts(unit, unit.type(at[1]) + 1, to, from); break;
      case Op::choice:
        if (at[2] != no_foreign) {
          assign_foreign(*unit.foreign[at[2]], to, from);
        } else {
          assign_choice(unit, at, to, from);
        }
        break;
      case Op::map:
      case Op::reference:
      case Op::any:
      case Op::typecode:
      case Op::value:
      case Op::foreign: assign_foreign(*unit.foreign[at[1]], to, from); break;
      case Op::held:
        if (HeldValue* value = HeldPlace::value(from)) HeldPlace(to).set(*value, nullptr);
        break;
      case Op::end:
      case Op::count_of_ops: return;
    }
  }
}

}  // namespace

template <Group group>
void construct_part(const Unit& unit, const Word* at, std::byte* part) {
  construct_each<group>(unit, at, part - offset_of(*at));
}
template <Group group>
void destroy_part(const Unit& unit, const Word* at, std::byte* part) noexcept {
  destroy_each<group>(unit, at, part - offset_of(*at));
}

#define TENON_PART(group) template void construct_part<Group::group>(const Unit&, const Word*, std::byte*);
TENON_EACH_GROUP(TENON_PART)
#undef TENON_PART

#define TENON_PART(group) \
  template void destroy_part<Group::group>(const Unit&, const Word*, std::byte*) noexcept;
TENON_EACH_GROUP(TENON_PART)
#undef TENON_PART

void construct_at(const Unit& unit, const Word* type, std::byte* memory) {
  std::memset(memory, 0, size_of(*type));
  if ((*type & type_zero) == 0) construct_parts(unit, type + 1, memory);
}

void destroy_at(const Unit& unit, const Word* type, std::byte* memory) noexcept {
  if ((*type & type_plain) == 0) destroy_parts(unit, type + 1, memory);
}

void* select_member(const Unit& unit, const Word* at, std::byte* memory, std::uint64_t label) {
  const Cases cases(unit.words + at[1]);
  auto& own = as<ChoiceHead>(memory);
  const Cases::Case held = cases.held(own);
  const Cases::Case wanted = cases.find(label);
  own.label = label;
  if (held.which == wanted.which && held.type == wanted.type) {
    return wanted.type == no_case ? nullptr : own.member();
  }
  if (held.type != no_case) destroy_at(unit, unit.type(held.type), static_cast<std::byte*>(own.member()));
  own.which = -1;
  if (wanted.type == no_case) return nullptr;
  construct_at(unit, unit.type(wanted.type), static_cast<std::byte*>(own.member()));
  own.which = wanted.which;
  return own.member();
}

void construct(const Unit& unit, TypeIndex type, void* memory) {
  construct_at(unit, unit.type(type), static_cast<std::byte*>(memory));
}

void destroy(const Unit& unit, TypeIndex type, void* memory) noexcept {
  destroy_at(unit, unit.type(type), static_cast<std::byte*>(memory));
}

void copy(const Unit& unit, TypeIndex type, void* to, const void* from) {
  const Word* head = unit.type(type);
  auto* into = static_cast<std::byte*>(to);
  construct_at(unit, head, into);
  try {
    assign_parts(unit, head + 1, into, static_cast<const std::byte*>(from));
  } catch (...) {
    destroy_at(unit, head, into);
    throw;
  }
}

}  // namespace tenon::marshal
