// SPDX-License-Identifier: Apache-2.0
//
// The walk that walker.hpp's functions share: which parts a value has, in order (CORBA 3.4 part 2 §9.3). What is done with a part
// is up to a sink, which must take each leaf from the reader:
//
//   number<T>(in) -> T      octets(in, count)                 character(in)      wide_character(in) -> scalar value
//   string(in, bound)       wide_string(in, bound)            raw_string(in)     length(in, smallest, bound) -> count
//   typecode(in) -> TypeRef    exception_id(in, type)    enumerator(in, type) -> ordinal    fixed(in, type)    long_double(in)
//   begin(type), member(type, index), end(type): around and before the parts of a constructed value
//   null_value(), begin_value(in, head, type), end_value(): values; `type`: the type whose state is known, or null
//   numbers(in, count, size): elements that may have any bits, if the sink has a way to take them at once
//   carried(in, head, type) -> bool, if the sink has it; true: it has read the rest of the value itself
//   shared_value(in, head) -> bool: an indirection; true: the value itself shall be walked here
#pragma once

#include "base/fixed.hpp"
#include "base/minor_codes.hpp"
#include "cdr/reader.hpp"
#include "types/typecode.hpp"

namespace tenon::types {

template <typename Sink>
class Walk {
 public:
  Walk(cdr::Reader& in, Sink& sink) noexcept
      : in_(in), sink_(sink), steps_left_(steps_per_byte * std::uint64_t{in.ahead()} + free_steps) {}

  void value(const TypeCode& type) {
    // Without this limit, a type whose values have no bytes could keep the walk busy for ever.
    if (steps_left_ == 0) return in_.fail(errors::length_beyond_data);
    --steps_left_;
    // Values may be nested deeper than other types; the reader counts their depth by itself.
    const TypeCode& real = unaliased(type);
    if (is_value(real.kind)) return any_value(&real);
    if (!in_.enter()) return;
    any_kind(type);
    in_.leave();
  }

 private:
  static constexpr std::uint64_t steps_per_byte = 64;
  static constexpr std::uint64_t free_steps = 65536;

  void any_kind(const TypeCode& type) {
    if (is_incomplete(type)) return in_.fail(errors::incomplete_typecode);
    switch (type.kind) {
      case Kind::tk_null:
      case Kind::tk_void: return;
      case Kind::tk_short: sink_.template number<std::int16_t>(in_); return;
      case Kind::tk_ushort: sink_.template number<std::uint16_t>(in_); return;
      case Kind::tk_long: sink_.template number<std::int32_t>(in_); return;
      case Kind::tk_ulong: sink_.template number<std::uint32_t>(in_); return;
      case Kind::tk_longlong: sink_.template number<std::int64_t>(in_); return;
      case Kind::tk_ulonglong: sink_.template number<std::uint64_t>(in_); return;
      case Kind::tk_float: sink_.template number<float>(in_); return;
      case Kind::tk_double: sink_.template number<double>(in_); return;
      case Kind::tk_boolean: sink_.template number<bool>(in_); return;
      case Kind::tk_octet: sink_.template number<std::uint8_t>(in_); return;
      case Kind::tk_longdouble: sink_.long_double(in_); return;
      case Kind::tk_char: sink_.character(in_); return;
      case Kind::tk_wchar: sink_.wide_character(in_); return;
      case Kind::tk_string: sink_.string(in_, type.length); return;
      case Kind::tk_wstring: sink_.wide_string(in_, type.length); return;
      case Kind::tk_fixed: sink_.fixed(in_, type); return;
      case Kind::tk_enum: enumerator(type); return;
      case Kind::tk_alias: value(*type.content); return;
      case Kind::tk_any: nested_any(); return;
      case Kind::tk_TypeCode: sink_.typecode(in_); return;
      case Kind::tk_Principal: octet_sequence(); return;
      case Kind::tk_objref: reference(); return;
      case Kind::tk_abstract_interface: abstract(); return;
      case Kind::tk_except:
        sink_.exception_id(in_, type);
        members(type);
        return;
      case Kind::tk_struct: members(type); return;
      case Kind::tk_union: choice(type); return;
      case Kind::tk_sequence: elements(type, sink_.length(in_, smallest(*type.content), type.length)); return;
      case Kind::tk_array: elements(type, type.length); return;
      case Kind::tk_value:
      case Kind::tk_value_box:
      case Kind::tk_event: any_value(&type); return;
      case Kind::tk_native:
      case Kind::tk_local_interface:
      case Kind::tk_component:
      case Kind::tk_home: in_.fail(errors::no_values_in_any); return;
    }
  }

  void enumerator(const TypeCode& type) {
    const auto ordinal = sink_.enumerator(in_, type);
    if (ordinal >= type.members.size()) in_.fail(errors::value_out_of_range);
  }

  void members(const TypeCode& type) {
    sink_.begin(type);
    for (std::size_t i = 0; i < type.members.size() && in_.good(); ++i) {
      sink_.member(type, i);
      value(*type.members[i].type);
    }
    sink_.end(type);
  }

  void choice(const TypeCode& type) {
    sink_.begin(type);
    const std::uint64_t label = discriminator(unaliased(*type.content));
    const Member* member = in_.good() ? selected_member(type, label) : nullptr;
    if (member != nullptr) {
      sink_.member(type, static_cast<std::size_t>(member - type.members.data()));
      value(*member->type);
    }
    sink_.end(type);
  }

  std::uint64_t discriminator(const TypeCode& type) {
    const auto extended = [](auto number) {
      return static_cast<std::uint64_t>(static_cast<std::int64_t>(number));
    };
    switch (type.kind) {
      case Kind::tk_short: return extended(sink_.template number<std::int16_t>(in_));
      case Kind::tk_ushort: return sink_.template number<std::uint16_t>(in_);
      case Kind::tk_long: return extended(sink_.template number<std::int32_t>(in_));
      case Kind::tk_ulong: return sink_.template number<std::uint32_t>(in_);
      case Kind::tk_longlong: return extended(sink_.template number<std::int64_t>(in_));
      case Kind::tk_ulonglong: return sink_.template number<std::uint64_t>(in_);
      case Kind::tk_boolean: return sink_.template number<bool>(in_) ? 1 : 0;
      case Kind::tk_octet: return sink_.template number<std::uint8_t>(in_);
      case Kind::tk_char: return sink_.character(in_);
      case Kind::tk_wchar: return sink_.wide_character(in_);
      default: {
        const std::uint32_t ordinal = sink_.enumerator(in_, type);
        if (ordinal >= type.members.size()) in_.fail(errors::value_out_of_range);
        return ordinal;
      }
    }
  }

  void elements(const TypeCode& type, std::size_t count) {
    // Elements without octets (of a type that IDL cannot write) would let a few octets claim any number of them.
    constexpr std::size_t most_empty = 1024;
    const std::size_t before = in_.position();
    if constexpr (requires { sink_.numbers(in_, count, 1u); }) {
      if (const unsigned size = number_size(unaliased(*type.content).kind); size != 0)
        return sink_.numbers(in_, count, size);
    }
    sink_.begin(type);
    for (std::size_t i = 0; i < count && in_.good(); ++i) {
      if (i == most_empty && in_.position() == before) return in_.fail(errors::length_beyond_data);
      sink_.member(type, i);
      value(*type.content);
    }
    sink_.end(type);
  }

  /// The size of a number that may have any bits; 0: the kind is something else.
  static unsigned number_size(Kind kind) noexcept {
    switch (kind) {
      case Kind::tk_octet: return 1;
      case Kind::tk_short:
      case Kind::tk_ushort: return 2;
      case Kind::tk_long:
      case Kind::tk_ulong:
      case Kind::tk_float: return 4;
      case Kind::tk_double:
      case Kind::tk_longlong:
      case Kind::tk_ulonglong: return 8;
      default: return 0;
    }
  }

  // A length may not claim more elements than the bytes that are left can hold.
  static std::size_t smallest(const TypeCode& element) noexcept {
    switch (unaliased(element).kind) {
      case Kind::tk_null:
      case Kind::tk_void:
      case Kind::tk_struct:
      case Kind::tk_array: return 0;
      case Kind::tk_short:
      case Kind::tk_ushort: return 2;
      case Kind::tk_long:
      case Kind::tk_ulong:
      case Kind::tk_float:
      case Kind::tk_enum:
      case Kind::tk_string:
      case Kind::tk_wstring:
      case Kind::tk_sequence: return 4;
      case Kind::tk_double:
      case Kind::tk_longlong:
      case Kind::tk_ulonglong: return 8;
      case Kind::tk_longdouble: return 16;
      default: return 1;
    }
  }

  void nested_any() {
    const TypeRef type = sink_.typecode(in_);
    if (in_.good()) value(*type);
  }

  void octet_sequence() {
    const std::size_t count = sink_.length(in_, 1, 0);
    sink_.octets(in_, count);
  }

  // IOR (§7.6.2): the type id, then tagged profiles.
  void reference() {
    sink_.raw_string(in_);
    const std::size_t profiles = sink_.length(in_, 8, 0);
    for (std::size_t i = 0; i < profiles && in_.good(); ++i) {
      sink_.template number<std::uint32_t>(in_);
      octet_sequence();
    }
  }

  // §9.3.6: true and a reference, or false and a value.
  void abstract() {
    if (sink_.template number<bool>(in_)) {
      reference();
    } else {
      any_value(nullptr);
    }
  }

  /// §9.3.4. `type`: what is expected; null: any value.
  void any_value(const TypeCode* type) {
    const cdr::ValueHeader head = in_.begin_value();
    switch (head.kind) {
      case cdr::ValueHeader::Kind::bad: return;
      case cdr::ValueHeader::Kind::null: return sink_.null_value();
      case cdr::ValueHeader::Kind::shared:
        if (sink_.shared_value(in_, head)) {
          const auto here = in_.seek_value(head.position);
          if (in_.good()) any_value(type);
          in_.return_to(here);
        }
        return;
      case cdr::ValueHeader::Kind::value: break;
    }
    if constexpr (requires { sink_.carried(in_, head, type); })
      if (sink_.carried(in_, head, type)) return;
    bool whole = true;
    const TypeCode* known = type != nullptr ? known_state(*type, head, whole) : nullptr;
    // Without chunks the end of the value is unknown.
    if (known == nullptr && !head.chunked) return in_.fail(errors::no_values_in_any);
    sink_.begin_value(in_, head, known);
    if (known != nullptr) state(*known);
    in_.end_value(head, known == nullptr || !whole);
    if (in_.good()) sink_.end_value();
  }

  /// The type if its state comes first in the value, which has more when it is not `whole`.
  static const TypeCode* known_state(const TypeCode& type, const cdr::ValueHeader& head, bool& whole) {
    if (type.modifier == Modifier::custom) return nullptr;
    if (head.id.empty() || head.id == type.id) return &type;
    whole = false;
    for (const std::string_view base : head.bases) {
      if (base == type.id && head.chunked) return &type;
    }
    return nullptr;
  }

  void state(const TypeCode& type) {
    if (type.kind == Kind::tk_value_box) return value(*type.content);
    if (type.content != nullptr && is_value(type.content->kind)) state(*type.content);
    if (in_.good()) members(type);
  }

  cdr::Reader& in_;
  Sink& sink_;
  std::uint64_t steps_left_;
};

}  // namespace tenon::types
