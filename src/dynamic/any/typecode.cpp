// SPDX-License-Identifier: Apache-2.0
#include "tenon/dynamic/typecode.hpp"

#include "base/minor_codes.hpp"
#include "tenon/dynamic/any.hpp"
#include "types/compare.hpp"
#include "types/typecode_cdr.hpp"

namespace CORBA {
inline namespace cpp11 {

namespace types = tenon::types;
namespace errors = tenon::errors;

namespace {

/// The type; raises BAD_TYPECODE if it is incomplete.
const types::TypeCode& whole(const types::TypeRef& type) {
  if (types::is_incomplete(*type)) tenon::gen::raise(errors::incomplete_typecode);
  return *type;
}

template <typename T>
T checked(const tenon::Result<T>& result) {
  if (result) return *result;
  if (result.error() == errors::typecode_bounds) throw TypeCode::Bounds();
  throw TypeCode::BadKind();
}

TypeCodeRef part(const types::TypeRef& type, const tenon::Result<const types::TypeCode*>& found) {
  return TypeCodeRef(type.part(*checked(found)));
}

}  // namespace

TCKind TypeCode::kind() const { return whole(type_).kind; }

bool TypeCode::equal(const TypeCodeRef& other) const {
  return types::equal(whole(type_), whole(other->_type()));
}

bool TypeCode::equivalent(const TypeCodeRef& other) const {
  return types::equivalent(whole(type_), whole(other->_type()));
}

TypeCodeRef TypeCode::get_compact_typecode() const {
  whole(type_);
  return TypeCodeRef(types::compact(type_));
}

std::string TypeCode::id() const { return std::string(checked(whole(type_).checked_id())); }

std::string TypeCode::name() const { return std::string(checked(whole(type_).checked_name())); }

std::uint32_t TypeCode::member_count() const { return checked(whole(type_).member_count()); }

std::string TypeCode::member_name(std::uint32_t index) const {
  return std::string(checked(whole(type_).member_name(index)));
}

TypeCodeRef TypeCode::member_type(std::uint32_t index) const {
  return part(type_, whole(type_).member_type(index));
}

Any TypeCode::member_label(std::uint32_t index) const {
  const std::uint64_t label = checked(whole(type_).member_label(index));
  const auto format = types::Any::memory_format();
  tenon::cdr::Writer out(format);
  types::TypeRef type = type_.part(*type_->content);
  if (static_cast<std::int64_t>(index) == type_->default_index) {
    type = types::basic(TCKind::tk_octet);
    out.put(std::uint8_t{0});
  } else {
    types::write_label(out, *type, label);
  }
  Any any;
  any._value(types::Any(std::move(type), out.bytes(), format, 0));
  return any;
}

TypeCodeRef TypeCode::discriminator_type() const { return part(type_, whole(type_).discriminator_type()); }

std::int32_t TypeCode::default_index() const { return checked(whole(type_).checked_default_index()); }

std::uint32_t TypeCode::length() const { return checked(whole(type_).checked_length()); }

TypeCodeRef TypeCode::content_type() const { return part(type_, whole(type_).content_type()); }

std::uint16_t TypeCode::fixed_digits() const { return checked(whole(type_).fixed_digits()); }

std::int16_t TypeCode::fixed_scale() const { return checked(whole(type_).fixed_scale()); }

Visibility TypeCode::member_visibility(std::uint32_t index) const {
  return static_cast<Visibility>(checked(whole(type_).member_visibility(index)));
}

ValueModifier TypeCode::type_modifier() const {
  return static_cast<ValueModifier>(checked(whole(type_).type_modifier()));
}

TypeCodeRef TypeCode::concrete_base_type() const { return part(type_, whole(type_).concrete_base_type()); }

}  // namespace cpp11
}  // namespace CORBA

namespace tenon::gen {

void Codec<CORBA::TypeCodeRef>::put(cdr::Writer& out, const value_type& value) {
  if (!value) return out.fail(errors::incomplete_typecode);
  types::write(out, *value._type());
}

void Codec<CORBA::TypeCodeRef>::get(cdr::Reader& in, value_type& value) {
  value = CORBA::TypeCodeRef(types::read(in));
}

}  // namespace tenon::gen
