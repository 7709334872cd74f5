// SPDX-License-Identifier: Apache-2.0
//
// Copies part by part, for passing values on by their TypeCode. Reading and writing are those of decode() and encode(). Whatever counts
// the message has, no more memory is used than for one text.
#include "marshal/typecodes/transcode.hpp"

#include <algorithm>
#include <string>
#include <unordered_map>

#include "base/fixed.hpp"
#include "base/minor_codes.hpp"
#include "marshal/choice.hpp"
#include "marshal/held_value.hpp"
#include "marshal/memory.hpp"
#include "types/walker.hpp"

namespace tenon::marshal {

namespace {

class Transcoder {
 public:
  Transcoder(const Unit& unit, cdr::Reader& in, cdr::Writer& out) : unit_(unit), in_(in), out_(out) {}

  void type(TypeIndex index) {
    if (!in_.enter()) return;
    parts(index);
    in_.leave();
  }

 private:
  void parts(TypeIndex index) {
    for (const Word* at = unit_.type(index) + 1; op_of(*at) != Op::end && in_.good(); at = next(at)) part(at);
  }

  void part(const Word* at) {
    switch (op_of(*at)) {
      case Op::copy1: return out_.put(in_.get<std::uint8_t>());
      case Op::copy2: return out_.put(in_.get<std::uint16_t>());
      case Op::copy4: return out_.put(in_.get<std::uint32_t>());
      case Op::copy8: return out_.put(in_.get<std::uint64_t>());
      case Op::boolean: return out_.put(in_.get_boolean());
      case Op::character: return out_.put_char(in_.get_char());
      case Op::wide_character: return wide_character();
      case Op::long_double: return long_double();
      case Op::enumeration: return enumeration(at[1]);
      case Op::fixed: return fixed(at[1] >> 16, at[1] & 0xFFFF);
      case Op::string: return text(0);
      case Op::bounded_string: return text(at[1]);
      case Op::wide_string: return wide_text(0);
      case Op::bounded_wide_string: return wide_text(at[1]);
      case Op::sequence1: return numbers<std::uint8_t>(length(1, at[1]));
      case Op::sequence2: return numbers<std::uint16_t>(length(2, at[1]));
      case Op::sequence4: return numbers<std::uint32_t>(length(4, at[1]));
      case Op::sequence8: return numbers<std::uint64_t>(length(8, at[1]));
      case Op::characters: return numbers<char>(length(1, at[1]));
      case Op::booleans: return booleans(length(1, at[1]));
      case Op::strings:
        for (std::size_t left = length(4, at[1]); left != 0 && in_.good(); --left) text(0);
        return;
      case Op::sequence: return elements(at[3], length(at[2], at[1]));
      case Op::array1: return numbers<std::uint8_t>(at[1]);
      case Op::array2: return numbers<std::uint16_t>(at[1]);
      case Op::array4: return numbers<std::uint32_t>(at[1]);
      case Op::array8: return numbers<std::uint64_t>(at[1]);
      case Op::character_array: return numbers<char>(at[1]);
      case Op::boolean_array: return booleans(at[1]);
      case Op::array: return elements(at[2], at[1]);
      case Op::call: return type(at[1]);
      case Op::choice: return choice(Cases(unit_.words + at[1]));
      case Op::map:
        for (std::size_t left = length(at[3], at[2]); left != 0 && in_.good(); --left) {
          type(at[4]);
          type(at[5]);
        }
        return;
      case Op::reference: return reference();
      case Op::any: return inside(types::Kind::tk_any, at[1]);
      case Op::typecode: return inside(types::Kind::tk_TypeCode, at[1]);
      case Op::value:
      case Op::foreign: return foreign(*unit_.foreign[at[1]]);
      case Op::held: return held(at[1]);
      case Op::block:  // its parts follow
      case Op::end:
      case Op::count_of_ops: return;
    }
  }

  std::size_t length(std::size_t smallest, std::size_t bound) {
    const std::size_t count = in_.get_length(smallest, bound);
    out_.put_length(count);
    return count;
  }
  /// Not inlined: values in values call part() again and again.
  template <typename T>
  [[gnu::noinline]] void numbers(std::size_t count) {
    T some[512 / sizeof(T)];
    while (count != 0 && in_.good()) {
      const std::size_t now = std::min(count, std::size(some));
      in_.get_array(some, now);
      out_.put_array(some, now);
      count -= now;
    }
  }
  void booleans(std::size_t count) {
    for (; count != 0 && in_.good(); --count) out_.put(in_.get_boolean());
  }
  void wide_character() {
    const wchar_t value = in_.get_wchar();
    if (in_.good()) out_.put_wchar(value);
  }
  /// Copied as octets, because a long double in memory may have fewer bits.
  void long_double() {
    in_.align(8);
    const ByteView from = in_.get_octets(16);
    out_.align(8);
    std::uint8_t* to = out_.claim(16);
    if (from.size() != 16 || to == nullptr) return;
    if (in_.format().order == out_.format().order) {
      std::copy(from.begin(), from.end(), to);
    } else {
      std::reverse_copy(from.begin(), from.end(), to);
    }
  }
  void enumeration(Word count) {
    const auto value = in_.get<std::uint32_t>();
    if (value >= count) in_.fail(errors::value_out_of_range);
    out_.put(value);
  }
  void fixed(unsigned digits, unsigned scale) {
    Fixed value;
    in_.get_fixed(value, digits, scale);
    out_.put_fixed(value, digits, scale);
  }
  void text(std::size_t bound) {
    in_.get_string(text_, bound);
    out_.align(4);
    const std::size_t before = out_.size();
    out_.put_string(text_);
    // In another code set text may have more octets, and a bound counts octets: no reader would accept longer text.
    constexpr std::size_t length_and_nul = 5;
    if (bound != 0 && out_.good() && out_.size() - before > bound + length_and_nul)
      out_.fail_over_bound(out_.size() - before - length_and_nul, bound);
  }
  void wide_text(std::size_t bound) {
    in_.get_wstring(wide_text_, bound);
    if (in_.good()) out_.put_wstring(wide_text_);
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
    if (!in_.good()) return;
    put_discriminator(out_, cases, label);
    const Cases::Case one = cases.find(label);
    if (one.type != no_case) type(one.type);
  }
  /// CORBA 3.4 part 2 §7.6.2: a type id and tagged profiles.
  void reference() {
    out_.put_raw_string(in_.get_raw_string());
    for (std::size_t left = length(8, 0); left != 0 && in_.good(); --left) {
      out_.put(in_.get<std::uint32_t>());
      const ByteView data = in_.get_octet_sequence();
      out_.put_length(data.size());
      out_.put_octets(data);
    }
  }
  /// For parts whose TypeCode is in the message (any, TypeCode): that type has no program, so the walker copies them.
  void inside(types::Kind kind, Word index) {
    if (unit_.values == nullptr) return foreign(*unit_.foreign[index]);
    types::copy(in_, out_, types::basic(kind));
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
    if (in_.good()) access.put(out_, memory.get());
  }

  void held(Word expected) {
    const ValueType* const wanted = unit_.values->expected(expected);
    const cdr::ValueHeader head = in_.begin_value();
    if (head.kind == cdr::ValueHeader::Kind::bad) return;
    if (head.kind == cdr::ValueHeader::Kind::null) return out_.put_null_value();
    if (head.kind == cdr::ValueHeader::Kind::shared) return shared(expected, head.position);
    bool whole = true;
    const ValueType* const known = unit_.values->known(head, wanted, whole);
    // State of an unknown type cannot be copied, so the value becomes one of the known type.
    if (known == nullptr) return in_.fail(errors::no_values_in_any);
    std::vector<std::string_view> ids{known->ids[0]};
    if (whole) ids.insert(ids.end(), head.bases.begin(), head.bases.end());
    written_[head.position] = {out_.begin_value(nullptr, ids, head.chunked), known};
    parts(known->state);  // the reader counts how deep values are
    in_.end_value(head, !whole);
    if (in_.good()) out_.end_value();
  }
  /// A value before the part that is read is written where it is first referred to.
  void shared(Word expected, std::size_t position) {
    const auto before = written_.find(position);
    if (before != written_.end() && unit_.values->is(*before->second.type, expected))
      return out_.put_value_indirection(before->second.place);
    const auto here = in_.seek_value(position);
    if (in_.good()) held(expected);
    in_.return_to(here);
  }

  const Unit& unit_;
  cdr::Reader& in_;
  cdr::Writer& out_;
  // Lent text must live until the message is sent, and texts here do not.
  const cdr::LendingScope copies_{out_, cdr::Writer::never};
  std::string text_;
  std::wstring wide_text_;
  struct Written {
    std::size_t place;
    const ValueType* type;
  };
  std::unordered_map<std::size_t, Written> written_;  // values by the position where they were read
};

}  // namespace

void transcode(const Unit& unit, TypeIndex type, cdr::Reader& in, cdr::Writer& out) {
  Transcoder(unit, in, out).type(type);
  if (!in.good()) out.fail(in.error());
}

}  // namespace tenon::marshal
