// SPDX-License-Identifier: Apache-2.0
#include "tenon/dynamic/dyn_any.hpp"

#include <algorithm>

#include "base/fixed.hpp"
#include "base/minor_codes.hpp"
#include "cdr/compatibility.hpp"
#include "ior/ior.hpp"
#include "tenon/dynamic/dyn_any_factory.hpp"
#include "types/compare.hpp"
#include "types/typecode_cdr.hpp"

namespace DynamicAny {
inline namespace cpp11 {

namespace errors = tenon::errors;
namespace types = tenon::types;
using tenon::cdr::Reader;
using tenon::cdr::Writer;
using types::Kind;

namespace {

types::Any packed(const types::TypeRef& type, Writer& out) {
  if (!out.good()) tenon::gen::raise(out.error());
  return {type, out.bytes(), out.format(), 0};
}

/// The bytes of a value in the format of this process, whichever peer it came from.
std::vector<std::uint8_t> canonical(const types::Any& value) {
  Writer out(types::Any::memory_format());
  types::write_value(out, value, tenon::gen::passing_on);
  if (!out.good()) throw DynAny::InvalidValue();
  return out.copy();
}

types::Any inner_any(const types::Any& value) {
  Reader in = value.reader();
  types::Any inside = types::read_any(in, tenon::gen::passing_on);
  if (!in.good()) throw DynAny::InvalidValue();
  return inside;
}

bool same_typecodes(const types::Any& a, const types::Any& b) {
  Reader in_a = a.reader();
  Reader in_b = b.reader();
  const types::TypeRef type_a = types::read(in_a);
  const types::TypeRef type_b = types::read(in_b);
  return type_a && type_b && types::equal(*type_a, *type_b);
}

/// Compares their bits, as for all numbers. In the x87's format only ten octets are bits; the others may have any content.
bool same_long_doubles(const types::Any& a, const types::Any& b) {
  constexpr std::size_t bits_of_x87 = 10;
  auto bytes_a = canonical(a);
  auto bytes_b = canonical(b);
  if (tenon::cdr::is_on(tenon::cdr::compatibility().x87_long_double)) {
    for (auto* bytes : {&bytes_a, &bytes_b}) {
      if (tenon::native_order == tenon::ByteOrder::big) std::ranges::reverse(*bytes);
      bytes->resize(bits_of_x87);
    }
  }
  return bytes_a == bytes_b;
}

bool same_references(const types::Any& a, const types::Any& b) {
  Reader in_a = a.reader();
  Reader in_b = b.reader();
  tenon::ior::Ior ior_a;
  tenon::ior::Ior ior_b;
  tenon::ior::read_ior(in_a, ior_a);
  tenon::ior::read_ior(in_b, ior_b);
  if (ior_a.nil() || ior_b.nil()) return ior_a.nil() == ior_b.nil();
  return tenon::ior::equivalent(ior_a, ior_b);
}

}  // namespace

DynAny::~DynAny() = default;

void DynAny::check_alive() const {
  if (destroyed_) tenon::gen::raise(errors::dyn_any_destroyed);
}

CORBA::TypeCodeRef DynAny::type() const {
  check_alive();
  return CORBA::TypeCodeRef(_type());
}

// --- the value as a whole ---

DynAny::Parts& DynAny::parts() {
  if (!split_) {
    Reader in = packed_.reader();
    Parts parts;
    split(in, parts);
    if (!in.good()) throw InvalidValue();
    replace_parts(std::move(parts));
  }
  refresh(parts_);
  return parts_;
}

void DynAny::replace_parts(Parts parts) {
  parts_ = std::move(parts);
  split_ = true;
  packed_ = types::Any(packed_.type(), {}, types::Any::memory_format(), 0);
}

void DynAny::replace(types::Any value) {
  value.retype(packed_.type());
  packed_ = std::move(value);
  parts_.clear();
  split_ = false;
  current_ = 0;
}

void DynAny::write_to(Writer& out) {
  if (!split_) return types::write_value(out, packed_, tenon::gen::passing_on);
  Parts& all = parts();
  write_head(out);
  for (const DynAnyRef& part : all) part->write_to(out);
  write_tail(out);
}

types::Any DynAny::_pack() {
  check_alive();
  if (!split_) return packed_;
  Writer out(types::Any::memory_format());
  write_to(out);
  return packed(_type(), out);
}

CORBA::Any DynAny::to_any() {
  CORBA::Any any;
  any._value(_pack());
  return any;
}

void DynAny::from_any(const CORBA::Any& value) {
  check_alive();
  if (!types::equivalent(*value._value().type(), *_type())) throw TypeMismatch();
  Reader in = value._value().reader();
  tenon::gen::passing_on.skip(in, _type());
  if (!in.good() || in.remaining() != 0) throw InvalidValue();
  replace(value._value());
}

void DynAny::assign(const DynAnyRef& dyn_any) {
  check_alive();
  if (!types::equivalent(*dyn_any->_type(), *_type())) throw TypeMismatch();
  replace(dyn_any->_pack());
}

bool DynAny::equal(const DynAnyRef& dyn_any) {
  Limits limits;
  return same_as(*dyn_any, limits);
}

bool DynAny::same_as(DynAny& other, Limits& limits) {
  check_alive();
  other.check_alive();
  if (&other == this) return true;
  if (limits.depth == 0 || --limits.steps == 0) throw InvalidValue();
  if (!types::equivalent(*other._type(), *_type())) return false;
  switch (_kind()) {
    case Kind::tk_any:
      return tenon::dynamic::make_dyn_any(inner_any(packed_))
          ->same_as(*tenon::dynamic::make_dyn_any(inner_any(other.packed_)), limits);
    case Kind::tk_TypeCode: return same_typecodes(packed_, other.packed_);
    case Kind::tk_longdouble: return same_long_doubles(packed_, other.packed_);
    case Kind::tk_objref: return same_references(packed_, other.packed_);
    default: break;
  }
  if (!split_ && !other.split_ && canonical(packed_) == canonical(other.packed_)) return true;
  return has_parts() && same_parts(other, limits);
}

bool DynAny::same_parts(DynAny& other, Limits& limits) {
  --limits.depth;
  const bool same = std::ranges::equal(
      parts(), other.parts(),
      [&limits](const DynAnyRef& a, const DynAnyRef& b) { return a->same_as(*b, limits); });
  ++limits.depth;
  return same;
}

DynAnyRef DynAny::copy() { return tenon::dynamic::make_dyn_any(_pack()); }

void DynAny::destroy() {
  check_alive();
  if (!is_component_) mark_destroyed();
}

void DynAny::mark_destroyed() noexcept {
  destroyed_ = true;
  for (const DynAnyRef& part : parts_) part->mark_destroyed();
}

// --- components ---

DynAnyRef DynAny::component(types::Any value) {
  DynAnyRef made = tenon::dynamic::make_dyn_any(std::move(value));
  made->is_component_ = true;
  return made;
}

DynAnyRef DynAny::component(const types::TypeRef& type) {
  return component(tenon::dynamic::default_value(type));
}

DynAnyRef DynAny::read_component(Reader& in, const types::TypeCode& type) {
  types::Any value = types::read_value(in, part_type(type), tenon::gen::passing_on);
  if (!in.good()) throw InvalidValue();
  return component(std::move(value));
}

DynAnyRef DynAny::adopted(const types::Any& value, const types::TypeRef& type) {
  if (!types::equivalent(*value.type(), *type)) throw TypeMismatch();
  types::Any own = value;
  own.retype(type);
  return component(std::move(own));
}

bool DynAny::seek(std::int32_t index) {
  check_alive();
  const bool there = has_parts() && index >= 0 && static_cast<std::size_t>(index) < parts().size();
  current_ = there ? index : -1;
  return there;
}

bool DynAny::next() {
  check_alive();
  return seek(current_ + 1);
}

std::uint32_t DynAny::component_count() {
  check_alive();
  return has_parts() ? static_cast<std::uint32_t>(parts().size()) : 0;
}

DynAnyRef DynAny::current_component() {
  check_alive();
  if (!has_parts()) throw TypeMismatch();
  const Parts& all = parts();
  if (current_ < 0 || static_cast<std::size_t>(current_) >= all.size()) return nullptr;
  return all[static_cast<std::size_t>(current_)];
}

// --- where values are put ---

DynAny& DynAny::place() {
  check_alive();
  if (!has_parts()) return *this;
  const DynAnyRef current = current_component();
  if (!current) throw InvalidValue();
  return *current;
}

DynAny& DynAny::place_of(Kind kind) {
  DynAny& found = place();
  if (found._kind() != kind) throw TypeMismatch();
  return found;
}

DynAny& DynAny::sequence_of(Kind element) {
  const auto fits = [element](const DynAny& each) {
    const bool elements = each._kind() == Kind::tk_sequence || each._kind() == Kind::tk_array;
    return elements && types::unaliased(*each.plain_type().content).kind == element;
  };
  check_alive();
  if (fits(*this)) return *this;
  DynAny& found = place();
  if (!fits(found)) throw TypeMismatch();
  return found;
}

// --- fixed and enum ---

std::string DynFixed::get_value() {
  const types::Any value = _pack();
  Reader in = value.reader();
  tenon::Fixed exact;
  in.get_fixed(exact, plain_type().digits, static_cast<unsigned>(plain_type().scale));
  if (!in.good()) throw InvalidValue();
  return exact.to_string();
}

bool DynFixed::set_value(const std::string& val) {
  check_alive();
  const auto parsed = tenon::Fixed::parse(val);
  if (!parsed) throw TypeMismatch();
  const unsigned digits = plain_type().digits;
  const auto scale = static_cast<unsigned>(plain_type().scale);
  const auto fitting = parsed->as(digits, scale);
  if (!fitting) throw InvalidValue();
  Writer out(types::Any::memory_format());
  out.put_fixed(*fitting, digits, scale);
  replace(packed(_type(), out));
  return *fitting == *parsed;
}

std::uint32_t DynEnum::get_as_ulong() {
  const types::Any value = _pack();
  Reader in = value.reader();
  const auto ordinal = in.get<std::uint32_t>();
  if (!in.good() || ordinal >= plain_type().members.size()) throw InvalidValue();
  return ordinal;
}

void DynEnum::set_as_ulong(std::uint32_t value) {
  check_alive();
  if (value >= plain_type().members.size()) throw InvalidValue();
  Writer out(types::Any::memory_format());
  out.put(value);
  replace(packed(_type(), out));
}

std::string DynEnum::get_as_string() { return std::string(plain_type().members[get_as_ulong()].name); }

void DynEnum::set_as_string(const std::string& value) {
  check_alive();
  const auto& members = plain_type().members;
  const auto found = std::ranges::find(members, value, &types::Member::name);
  if (found == members.end()) throw InvalidValue();
  set_as_ulong(static_cast<std::uint32_t>(found - members.begin()));
}

}  // namespace cpp11
}  // namespace DynamicAny
