// SPDX-License-Identifier: Apache-2.0
#include "tenon/dynamic/typecode_members.hpp"

namespace tenon::gen {

namespace {

void put_typed(cdr::Writer& out, const CORBA::TypedMember& value) {
  Codec<CORBA::TypeCodeRef>::put(out, value.type());
  Reference<CORBA::Object>::put(out, value.type_def());
}
void get_typed(cdr::Reader& in, CORBA::TypedMember& value) {
  Codec<CORBA::TypeCodeRef>::get(in, value.type());
  Reference<CORBA::Object>::get(in, value.type_def());
}

}  // namespace

void Codec<CORBA::StructMember>::put(cdr::Writer& out, const value_type& value) {
  out.put_string(value.name());
  put_typed(out, value);
}
void Codec<CORBA::StructMember>::get(cdr::Reader& in, value_type& value) {
  in.get_string(value.name());
  get_typed(in, value);
}

void Codec<CORBA::UnionMember>::put(cdr::Writer& out, const value_type& value) {
  out.put_string(value.name());
  Codec<CORBA::Any>::put(out, value.label());
  put_typed(out, value);
}
void Codec<CORBA::UnionMember>::get(cdr::Reader& in, value_type& value) {
  in.get_string(value.name());
  Codec<CORBA::Any>::get(in, value.label());
  get_typed(in, value);
}

void Codec<CORBA::ValueMember>::put(cdr::Writer& out, const value_type& value) {
  out.put_string(value.name());
  out.put_string(value.id());
  out.put_string(value.defined_in());
  out.put_string(value.version());
  put_typed(out, value);
  out.put(value.access());
}
void Codec<CORBA::ValueMember>::get(cdr::Reader& in, value_type& value) {
  in.get_string(value.name());
  in.get_string(value.id());
  in.get_string(value.defined_in());
  in.get_string(value.version());
  get_typed(in, value);
  value.access() = in.get<CORBA::Visibility>();
}

}  // namespace tenon::gen
