// SPDX-License-Identifier: Apache-2.0
#include <string>

#include "base/minor_codes.hpp"
#include "marshal/choice.hpp"
#include "marshal/held_value.hpp"
#include "marshal/memory.hpp"
#include "marshal/moves.hpp"
#include "marshal/program.hpp"

namespace tenon::marshal {

namespace {

class Skipper {
 public:
  Skipper(const Unit& unit, cdr::Reader& in) noexcept : unit_(unit), in_(in) {}

  void type(TypeIndex index) {
    if (!in_.enter()) return;
    parts(index);
    in_.leave();
  }
  /// Skips values of unknown types, too, if chunks tell where they end.
  void held(Word expected) {
    const cdr::ValueHeader head = in_.begin_value();
    if (head.kind != cdr::ValueHeader::Kind::value) return;
    bool whole = true;
    const ValueType* type = unit_.values->known(head, unit_.values->expected(expected), whole);
    if (type == nullptr && !head.chunked) return in_.fail(errors::no_values_in_any);
    if (type != nullptr) parts(type->state);  // the reader counts how deep values are
    in_.end_value(head, type == nullptr || !whole);
  }

 private:
  void parts(TypeIndex index) {
    for (const Word* at = unit_.type(index) + 1; op_of(*at) != Op::end && in_.good(); at = next(at)) {
      if (small_code && op_of(*at) > last_common) {
        unit_.moves_of(op_of(*at)).skip(this, at);
      } else {
        part<handled>(at);
      }
    }
  }

 public:
  template <Group group>
  [[gnu::always_inline]] void part(const Word* at) {
    const Op op = op_of(*at);
    only<group>(op);
    switch (op) {
      case Op::copy1: return in_.skip(1);
      case Op::copy2: return numbers(1, 2);
      case Op::copy4: return numbers(1, 4);
      case Op::copy8: return numbers(1, 8);
      case Op::boolean: in_.get_boolean(); return;
      case Op::character: in_.get_char(); return;
      case Op::wide_character: in_.get_wchar(); return;
      case Op::long_double: in_.align(8); return in_.skip(16);
      case Op::enumeration:
        if (in_.get<std::uint32_t>() >= at[1]) in_.fail(errors::value_out_of_range);
        return;
      case Op::fixed: return in_.skip((at[1] >> 16) / 2 + 1);
      case Op::string: return text(0);
      case Op::bounded_string: return text(at[1]);
      case Op::wide_string: return wide_text(0);
      case Op::bounded_wide_string: return wide_text(at[1]);
      case Op::sequence1: return numbers(in_.get_length(1, at[1]), 1);
      case Op::sequence2: return numbers(in_.get_length(2, at[1]), 2);
      case Op::sequence4: return numbers(in_.get_length(4, at[1]), 4);
      case Op::sequence8: return numbers(in_.get_length(8, at[1]), 8);
      case Op::characters: return each_char(in_.get_length(1, at[1]));
      case Op::booleans: return each_boolean(in_.get_length(1, at[1]));
      case Op::strings:
        for (std::size_t left = in_.get_length(4, at[1]); left != 0 && in_.good(); --left) text(0);
        return;
      case Op::sequence: return elements(at[3], in_.get_length(at[2], at[1]));
      case Op::array1: return numbers(at[1], 1);
      case Op::array2: return numbers(at[1], 2);
      case Op::array4: return numbers(at[1], 4);
      case Op::array8: return numbers(at[1], 8);
      case Op::character_array: return each_char(at[1]);
      case Op::boolean_array: return each_boolean(at[1]);
      case Op::array: return elements(at[2], at[1]);
      case Op::call: return type(at[1]);
      case Op::choice: return choice(Cases(unit_.words + at[1]));
      case Op::map:
        for (std::size_t left = in_.get_length(at[3], at[2]); left != 0 && in_.good(); --left) {
          type(at[4]);
          type(at[5]);
        }
        return;
      case Op::reference: return reference();
      case Op::any:
      case Op::typecode:
      case Op::value:
      case Op::foreign: return foreign(*unit_.foreign[at[1]]);
      case Op::held: return unit_.values->moves->skip(this, at[1]);
      case Op::block:  // its parts follow
      case Op::end:
      case Op::count_of_ops: return;
    }
  }

 private:
  void numbers(std::size_t count, std::size_t size) {
    if (count == 0) return;
    if (in_.segmented()) {  // alignment may restart in between
      for (; count != 0 && in_.good(); --count) number(size);
      return;
    }
    in_.align(size);
    in_.skip(count * size);
  }
  /// Ends at the same position as decoding, also if a peer left octets at the end of a fragment.
  void number(std::size_t size) {
    switch (size) {
      case 1: in_.get<std::uint8_t>(); return;
      case 2: in_.get<std::uint16_t>(); return;
      case 4: in_.get<std::uint32_t>(); return;
      default: in_.get<std::uint64_t>(); return;
    }
  }
  void each_char(std::size_t count) {
    for (; count != 0 && in_.good(); --count) in_.get_char();
  }
  void each_boolean(std::size_t count) {
    for (; count != 0 && in_.good(); --count) in_.get_boolean();
  }
  void text(std::size_t bound) {
    if (bound != 0) {
      std::string into;
      in_.get_string(into, bound);
    } else {
      in_.get_raw_string();
    }
  }
  void wide_text(std::size_t bound) {
    std::wstring into;
    in_.get_wstring(into, bound);
  }
  void elements(TypeIndex index, std::size_t count) {
    const std::size_t before = in_.position();
    for (std::size_t i = 0; i < count && in_.good(); ++i) {
      if (i == most_empty && in_.position() == before) in_.fail(errors::length_beyond_data);
      type(index);
    }
  }
  void choice(const Cases& cases) {
    const std::uint64_t label = get_discriminator(in_, cases);
    const Cases::Case one = cases.find(label);
    if (in_.good() && one.type != no_case) type(one.type);
  }
  /// CORBA 3.4 part 2 §7.6.2: a type id and tagged profiles.
  void reference() {
    in_.get_raw_string();
    for (std::size_t left = in_.get_length(8); left != 0 && in_.good(); --left) {
      in_.get<std::uint32_t>();
      in_.get_octet_sequence();
    }
  }
  void foreign(const Foreign& access) {
    const auto memory = std::make_unique_for_overwrite<std::byte[]>(access.size);
    access.construct(memory.get());
    struct Ending {
      const Foreign& access;
      std::byte* memory;
      ~Ending() { access.destroy(memory); }
    } ending{access, memory.get()};
    access.get(in_, memory.get());
  }

  const Unit& unit_;
  cdr::Reader& in_;
};

}  // namespace

template <Group group>
void skip_part(void* skipper, const Word* at) {
  static_cast<Skipper*>(skipper)->part<group>(at);
}

#define TENON_PART(group) template void skip_part<Group::group>(void*, const Word*);
TENON_EACH_GROUP(TENON_PART)
#undef TENON_PART

void skip_held_value(void* skipper, Word expected) { static_cast<Skipper*>(skipper)->held(expected); }

void skip(const Unit& unit, TypeIndex type, cdr::Reader& in) { Skipper(unit, in).type(type); }

}  // namespace tenon::marshal
