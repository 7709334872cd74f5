// SPDX-License-Identifier: Apache-2.0
#include "tenon/dynamic/dyn_any_factory.hpp"

#include <limits>

#include "base/fixed.hpp"
#include "base/minor_codes.hpp"
#include "ior/ior.hpp"
#include "tenon/corba/orb.hpp"
#include "types/typecode_cdr.hpp"

namespace tenon::dynamic {

using DynamicAny::DynAny;
using DynamicAny::DynAnyRef;
using types::Kind;
using types::TypeCode;
using InconsistentTypeCode = DynamicAny::DynAnyFactory::InconsistentTypeCode;

DynAnyRef make_dyn_any(types::Any value) {
  switch (types::unaliased(*value.type()).kind) {
    case Kind::tk_struct:
    case Kind::tk_except: return CORBA::make_reference<DynamicAny::DynStruct>(std::move(value));
    case Kind::tk_union: return CORBA::make_reference<DynamicAny::DynUnion>(std::move(value));
    case Kind::tk_sequence: return CORBA::make_reference<DynamicAny::DynSequence>(std::move(value));
    case Kind::tk_array: return CORBA::make_reference<DynamicAny::DynArray>(std::move(value));
    case Kind::tk_enum: return CORBA::make_reference<DynamicAny::DynEnum>(std::move(value));
    case Kind::tk_fixed: return CORBA::make_reference<DynamicAny::DynFixed>(std::move(value));
    case Kind::tk_value:
    case Kind::tk_event: return CORBA::make_reference<DynamicAny::DynValue>(std::move(value));
    case Kind::tk_value_box: return CORBA::make_reference<DynamicAny::DynValueBox>(std::move(value));
    case Kind::tk_Principal:
    case Kind::tk_native:
    case Kind::tk_local_interface:
    case Kind::tk_component:
    case Kind::tk_home: throw InconsistentTypeCode();
    default: return CORBA::make_reference<DynAny>(std::move(value));
  }
}

std::uint64_t label_of(const types::Any& discriminator) {
  cdr::Reader in = discriminator.reader();
  const auto extended = [](auto number) {
    return static_cast<std::uint64_t>(static_cast<std::int64_t>(number));
  };
  std::uint64_t label = 0;
  switch (types::unaliased(*discriminator.type()).kind) {
    case Kind::tk_short: label = extended(in.get<std::int16_t>()); break;
    case Kind::tk_ushort: label = in.get<std::uint16_t>(); break;
    case Kind::tk_long: label = extended(in.get<std::int32_t>()); break;
    case Kind::tk_longlong: label = extended(in.get<std::int64_t>()); break;
    case Kind::tk_ulonglong: label = in.get<std::uint64_t>(); break;
    case Kind::tk_boolean: label = in.get<bool>() ? 1 : 0; break;
    case Kind::tk_octet: label = in.get<std::uint8_t>(); break;
    case Kind::tk_char: label = static_cast<unsigned char>(in.get_char()); break;
    case Kind::tk_wchar: label = static_cast<std::uint32_t>(in.get_wchar()); break;
    default: label = in.get<std::uint32_t>(); break;
  }
  if (!in.good()) throw DynAny::InvalidValue();
  return label;
}

namespace {

/// How many labels there can be, at most.
std::uint64_t label_count(const TypeCode& discriminator) {
  switch (discriminator.kind) {
    case Kind::tk_boolean: return 2;
    case Kind::tk_octet:
    case Kind::tk_char: return 256;
    case Kind::tk_short: return 1 + std::uint64_t{std::numeric_limits<std::int16_t>::max()};
    case Kind::tk_ushort: return 1 + std::uint64_t{std::numeric_limits<std::uint16_t>::max()};
    case Kind::tk_enum: return discriminator.members.size();
    default: return std::numeric_limits<std::uint64_t>::max();
  }
}

}  // namespace

std::optional<std::uint64_t> unused_label(const TypeCode& union_type) {
  const std::uint64_t labels = label_count(types::unaliased(*union_type.content));
  // There is one more candidate than there are members, so one of them is free, unless there are too few labels.
  for (std::uint64_t label = 0; label < labels && label <= union_type.members.size(); ++label) {
    const types::Member* member = types::selected_member(union_type, label);
    const bool is_default = member != nullptr && union_type.default_index >= 0 &&
                            member == &union_type.members[static_cast<std::size_t>(union_type.default_index)];
    if (member == nullptr || is_default) return label;
  }
  return std::nullopt;
}

namespace {

/// A limit for default values, since a TypeCode from a peer may describe huge ones. Octets.
constexpr std::size_t largest_default = std::size_t{64} << 20;

void write_default(cdr::Writer& out, const TypeCode& type, unsigned depth);

void write_default_union(cdr::Writer& out, const TypeCode& type, unsigned depth) {
  const TypeCode& discriminator = types::unaliased(*type.content);
  if (type.members.empty()) throw InconsistentTypeCode();
  std::uint64_t label = type.members[0].label;
  if (type.default_index == 0) label = unused_label(type).value_or(0);
  types::write_label(out, discriminator, label);
  const types::Member* selected = types::selected_member(type, label);
  if (selected != nullptr) write_default(out, *selected->type, depth);
}

void write_default(cdr::Writer& out, const TypeCode& type, unsigned depth) {
  if (depth > cdr::Reader::deepest) return out.fail(errors::nested_too_deep);
  switch (type.kind) {
    case Kind::tk_null:
    case Kind::tk_void: return;
    case Kind::tk_boolean:
    case Kind::tk_octet: return out.put(std::uint8_t{0});
    case Kind::tk_char: return out.put_char('\0');
    case Kind::tk_wchar: return out.put_wchar(L'\0');
    case Kind::tk_short:
    case Kind::tk_ushort: return out.put(std::uint16_t{0});
    case Kind::tk_long:
    case Kind::tk_ulong:
    case Kind::tk_float:
    case Kind::tk_enum:      // the first enumerator
    case Kind::tk_sequence:  // no elements
    case Kind::tk_any:       // of type tk_null
    case Kind::tk_TypeCode:  // the same
    case Kind::tk_value:     // null
    case Kind::tk_value_box:
    case Kind::tk_event: return out.put(std::uint32_t{0});
    case Kind::tk_double:
    case Kind::tk_longlong:
    case Kind::tk_ulonglong: return out.put(std::uint64_t{0});
    case Kind::tk_longdouble: return out.put_long_double(0);
    case Kind::tk_string: return out.put_string("");
    case Kind::tk_wstring: return out.put_wstring(L"");
    case Kind::tk_fixed: return out.put_fixed(Fixed(), type.digits, static_cast<unsigned>(type.scale));
    case Kind::tk_alias: return write_default(out, *type.content, depth);
    case Kind::tk_objref: return ior::write_ior(out, {});
    case Kind::tk_abstract_interface:  // a null value
      out.put(false);
      return out.put(std::uint32_t{0});
    case Kind::tk_except: out.put_raw_string(type.id); [[fallthrough]];
    case Kind::tk_struct:
      for (const types::Member& member : type.members) write_default(out, *member.type, depth + 1);
      return;
    case Kind::tk_union: return write_default_union(out, type, depth + 1);
    case Kind::tk_array:
      for (std::uint32_t i = 0; i < type.length && out.good(); ++i)
        write_default(out, *type.content, depth + 1);
      return;
    case Kind::tk_Principal:
    case Kind::tk_native:
    case Kind::tk_local_interface:
    case Kind::tk_component:
    case Kind::tk_home: throw InconsistentTypeCode();
  }
}

}  // namespace

types::Any default_value(const types::TypeRef& type) {
  cdr::Writer out(types::Any::memory_format());
  out.set_limit(largest_default);
  write_default(out, *type, 0);
  if (!out.good()) gen::raise(out.error());
  return {type, out.bytes(), out.format(), 0};
}

}  // namespace tenon::dynamic

namespace DynamicAny {
inline namespace cpp11 {

DynAnyFactory::~DynAnyFactory() = default;

DynAnyRef DynAnyFactory::create_dyn_any(const CORBA::Any& value) {
  return tenon::dynamic::make_dyn_any(value._value());
}

DynAnyRef DynAnyFactory::create_dyn_any_from_type_code(const CORBA::TypeCodeRef& type) {
  if (!type) throw InconsistentTypeCode();
  return tenon::dynamic::make_dyn_any(tenon::dynamic::default_value(type->_type()));
}

DynAnyRef DynAnyFactory::create_dyn_any_without_truncation(const CORBA::Any& value) {
  DynAnyRef made = create_dyn_any(value);
  const auto whole = IDL::traits<DynValueCommon>::narrow(made);
  if (whole && whole->_truncated()) throw MustTruncate();
  return made;
}

DynAnySeq DynAnyFactory::create_multiple_dyn_anys(const AnySeq& values, bool allow_truncate) {
  DynAnySeq made;
  for (const CORBA::Any& value : values)
    made.push_back(allow_truncate ? create_dyn_any(value) : create_dyn_any_without_truncation(value));
  return made;
}

AnySeq DynAnyFactory::create_multiple_anys(const DynAnySeq& values) {
  AnySeq made;
  for (const DynAnyRef& value : values) made.push_back(value->to_any());
  return made;
}

}  // namespace cpp11
}  // namespace DynamicAny

namespace tenon::gen {

CORBA::object_reference<CORBA::Object> dyn_any_factory() {
  return CORBA::make_reference<DynamicAny::DynAnyFactory>();
}

}  // namespace tenon::gen
