// SPDX-License-Identifier: Apache-2.0
#include "tenon/dynamic/any.hpp"

#include <exception>

#include "base/minor_codes.hpp"
#include "mapping/cpp11/corba/member_text.hpp"
#include "marshal/typecodes/programs.hpp"
#include "tenon/corba/orb.hpp"
#include "tenon/corba/value_factory.hpp"
#include "types/compare.hpp"
#include "types/typecode_cdr.hpp"
#include "types/walker.hpp"

namespace CORBA {
inline namespace cpp11 {

void Any::type(const TypeCodeRef& type) {
  if (!type || !tenon::types::equivalent(*type->_type(), *value_.type())) {
    tenon::gen::raise(tenon::errors::type_mismatch);
  }
  value_.retype(type->_type());
}

}  // namespace cpp11
}  // namespace CORBA

namespace tenon::gen {

void Codec<CORBA::Any>::put(cdr::Writer& out, const value_type& value) {
  types::write(out, value._value(), passing_on);
}

void Codec<CORBA::Any>::get(cdr::Reader& in, value_type& value) {
  value._value(types::read_any(in, passing_on));
}

namespace {

/// "IDL:Bank/Account:1.0 {name = "A-17"}", "long 5"; for a large value only the type.
void show_value(cdr::Reader& in, std::string& out) {
  constexpr std::size_t most_octets = 1000;
  const types::TypeRef type = types::read(in);
  if (!type) return;
  out += type->id.empty() ? types::text(*type) : std::string(type->id);
  if (type->kind == types::Kind::tk_null) return;
  out += ' ';
  const cdr::Reader before = in;
  const unsigned open = in.open_values();
  types::skip(in, *type);
  if (!in.good()) return;
  if (before.ahead() - in.ahead() > most_octets) {
    out += "...";
    return;
  }
  in.go_back(before, open);
  types::print(in, out, *type);
}

void show(cdr::Reader& in, std::string& out) noexcept {
  try {
    show_value(in, out);
  } catch (const std::exception&) {  // no memory for a type as large as the peer made it
    out += "...";
  }
}
[[maybe_unused]] const bool is_shown = (show_any = show, true);

/// The ORB's factories know more of values than TypeCodes, which do not describe the state of derived and custom types.
void pass_value_on(cdr::Reader& in, cdr::Writer& out, const types::TypeRef& type) {
  if (!types::may_hold_values(*type) || types::is_told(in, *type))
    return marshal::by_program.copy(in, out, type);
  const cdr::Reader::Aside aside(in);
  types::copy(in, out, *type, carry_value);
}

void skip_value(cdr::Reader& in, const types::TypeRef& type) {
  const cdr::Reader before = in;
  const unsigned open = in.open_values();
  marshal::by_program.skip(in, type);
  if (in.error() != errors::no_values_in_any) return;
  in.go_back(before, open);
  const cdr::Reader::Aside aside(in);
  types::skip(in, *type, carry_value);
}

types::Any encoded(const types::TypeRef& type, Put put, MakeSource source) {
  const cdr::WireFormat format = types::Any::memory_format();
  cdr::Writer out(format);
  put(out);
  if (!out.good()) raise(out.error());
  types::Any made(type, out.bytes(), format, 0);
  if (out.has_values() && !types::is_told(made.reader(), *type)) made.keep_source(source());
  return made;
}

/// The type, or, if this ORB has no factory for it, the nearest base with a factory that its values may be truncated to.
const types::TypeCode& known_type(const types::TypeCode& inside) {
  const types::TypeCode* type = &types::unaliased(inside);
  while (types::has_state(type->kind) && type->modifier == types::Modifier::truncatable &&
         type->content != nullptr && !find_value_factory(current_orb(), type->id)) {
    type = &types::unaliased(*type->content);
  }
  return *type;
}

bool matches(const types::TypeCode& inside, const types::TypeCode& wanted, Match match) {
  switch (match) {
    case Match::unbounded: return types::equivalent_unbounded(inside, wanted);
    case Match::exact: return types::equivalent(inside, wanted);
    case Match::reference: return types::unaliased(inside).kind == types::Kind::tk_objref;
  }
  return false;
}

}  // namespace

constexpr types::Runner passing_on{.skip = skip_value, .copy = pass_value_on};

void insert(CORBA::Any& any, const types::TypeRef& type, Put put, MakeSource source) {
  any._value(encoded(type, put, source));
}

void insert_as(CORBA::Any& any, const CORBA::TypeCodeRef& type, const types::TypeCode& own, Put put,
               MakeSource source) {
  if (!type || !types::equivalent_unbounded(*type._type(), own)) raise(errors::type_mismatch);
  types::Any value = encoded(type._type(), put, source);
  // the codec of the C++ type does not check bounds
  cdr::Reader in = value.reader();
  passing_on.skip(in, type._type());
  if (!in.good() && in.error() != errors::no_values_in_any) raise(errors::over_bound);
  any._value(std::move(value));
}

bool extract(const CORBA::Any& any, const types::TypeCode& type, Match match, TakeSource take, Get get) {
  const auto decode = [&](cdr::Reader in) {
    get(in);
    if (in.remaining() != 0) in.fail(errors::type_mismatch);
    return in.good();
  };
  const types::Any& value = any._value();
  const bool own = matches(*value.type(), type, match);
  if (!own && !matches(known_type(*value.type()), type, match)) return false;
  if (value.source() != nullptr && take(*value.source())) return true;
  if (decode(value.reader())) return true;
  if (own) return false;
  // The value did not say what it may be truncated to, but the TypeCode does.
  cdr::Reader in = value.reader();
  cdr::Writer said(types::Any::memory_format());
  types::copy_with_bases(in, said, *value.type());
  return said.good() && decode({said.bytes(), said.format()});
}

}  // namespace tenon::gen
