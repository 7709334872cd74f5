// SPDX-License-Identifier: Apache-2.0
#include "dynamic/any.hpp"

#include "base/minor_codes.hpp"
#include "marshal/programs.hpp"
#include "types/compare.hpp"

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
  types::write(out, value._value(), marshal::by_program);
}

void Codec<CORBA::Any>::get(cdr::Reader& in, value_type& value) {
  value._value(types::read_any(in, marshal::by_program));
}

namespace {

types::Any encoded(const types::TypeRef& type, Put put) {
  const cdr::WireFormat format = types::Any::memory_format();
  cdr::Writer out(format);
  put(out);
  if (!out.good()) raise(out.error());
  return {type, out.bytes(), format, 0};
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

void insert(CORBA::Any& any, const types::TypeRef& type, Put put) { any._value(encoded(type, put)); }

void insert_as(CORBA::Any& any, const CORBA::TypeCodeRef& type, const types::TypeCode& own, Put put) {
  if (!type || !types::equivalent_unbounded(*type._type(), own)) raise(errors::type_mismatch);
  types::Any value = encoded(type._type(), put);
  // the codec of the C++ type knows no bounds
  cdr::Reader in = value.reader();
  marshal::by_program.skip(in, type._type());
  if (!in.good()) raise(errors::over_bound);
  any._value(std::move(value));
}

bool extract(const CORBA::Any& any, const types::TypeCode& type, Match match, Get get) {
  const types::Any& value = any._value();
  if (!matches(*value.type(), type, match)) return false;
  cdr::Reader in = value.reader();
  get(in);
  if (in.remaining() != 0) in.fail(errors::type_mismatch);
  return in.good();
}

}  // namespace tenon::gen
