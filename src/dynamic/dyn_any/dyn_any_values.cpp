// SPDX-License-Identifier: Apache-2.0
//
// DynAny: putting basic values in and taking them out, singly and as sequences.
#include <algorithm>

#include "base/minor_codes.hpp"
#include "tenon/dynamic/dyn_any.hpp"
#include "tenon/dynamic/dyn_any_factory.hpp"
#include "types/typecode_cdr.hpp"

namespace DynamicAny {
inline namespace cpp11 {

namespace types = tenon::types;
using tenon::cdr::Reader;
using tenon::cdr::Writer;
using types::Kind;

template <typename Put>
void DynAny::put_in(Kind kind, Put write) {
  DynAny& target = place_of(kind);
  Writer out(types::Any::memory_format());
  write(out);
  if (!out.good()) tenon::gen::raise(out.error());
  target.replace({target._type(), out.bytes(), out.format(), 0});
}

template <typename Get>
auto DynAny::take_out(Kind kind, Get read) {
  const types::Any value = place_of(kind)._pack();
  Reader in = value.reader();
  auto result = read(in);
  if (!in.good()) throw InvalidValue();
  return result;
}

namespace {

template <typename T>
auto putting(T value) {
  return [value](Writer& out) { out.put(value); };
}
template <typename T>
T getting(Reader& in) {
  return in.get<T>();
}

}  // namespace

void DynAny::insert_boolean(bool value) { put_in(Kind::tk_boolean, putting(value)); }
void DynAny::insert_octet(std::uint8_t value) { put_in(Kind::tk_octet, putting(value)); }
void DynAny::insert_char(char value) { put_in(Kind::tk_char, putting(value)); }
void DynAny::insert_short(std::int16_t value) { put_in(Kind::tk_short, putting(value)); }
void DynAny::insert_ushort(std::uint16_t value) { put_in(Kind::tk_ushort, putting(value)); }
void DynAny::insert_long(std::int32_t value) { put_in(Kind::tk_long, putting(value)); }
void DynAny::insert_ulong(std::uint32_t value) { put_in(Kind::tk_ulong, putting(value)); }
void DynAny::insert_longlong(std::int64_t value) { put_in(Kind::tk_longlong, putting(value)); }
void DynAny::insert_ulonglong(std::uint64_t value) { put_in(Kind::tk_ulonglong, putting(value)); }
void DynAny::insert_float(float value) { put_in(Kind::tk_float, putting(value)); }
void DynAny::insert_double(double value) { put_in(Kind::tk_double, putting(value)); }
void DynAny::insert_longdouble(long double value) {
  put_in(Kind::tk_longdouble, [value](Writer& out) { out.put_long_double(value); });
}
void DynAny::insert_wchar(wchar_t value) {
  put_in(Kind::tk_wchar, [value](Writer& out) { out.put_wchar(value); });
}

void DynAny::insert_string(const std::string& value) {
  const std::uint32_t bound = place_of(Kind::tk_string).plain_type().length;
  if (bound != 0 && value.size() > bound) throw InvalidValue();
  put_in(Kind::tk_string, [&](Writer& out) { out.put_string(value); });
}

void DynAny::insert_wstring(const std::wstring& value) {
  const std::uint32_t bound = place_of(Kind::tk_wstring).plain_type().length;
  if (bound != 0 && value.size() > bound) throw InvalidValue();
  put_in(Kind::tk_wstring, [&](Writer& out) { out.put_wstring(value); });
}

void DynAny::insert_reference(const CORBA::object_reference<CORBA::Object>& value) {
  put_in(Kind::tk_objref, [&](Writer& out) { tenon::gen::put_reference(out, value.get()); });
}

void DynAny::insert_typecode(const CORBA::TypeCodeRef& value) {
  put_in(Kind::tk_TypeCode, [&](Writer& out) { tenon::gen::Codec<CORBA::TypeCodeRef>::put(out, value); });
}

void DynAny::insert_any(const CORBA::Any& value) {
  put_in(Kind::tk_any, [&](Writer& out) { types::write(out, value._value(), tenon::gen::passing_on); });
}

void DynAny::insert_dyn_any(const DynAnyRef& value) { insert_any(value->to_any()); }

bool DynAny::get_boolean() { return take_out(Kind::tk_boolean, getting<bool>); }
std::uint8_t DynAny::get_octet() { return take_out(Kind::tk_octet, getting<std::uint8_t>); }
char DynAny::get_char() { return take_out(Kind::tk_char, getting<char>); }
std::int16_t DynAny::get_short() { return take_out(Kind::tk_short, getting<std::int16_t>); }
std::uint16_t DynAny::get_ushort() { return take_out(Kind::tk_ushort, getting<std::uint16_t>); }
std::int32_t DynAny::get_long() { return take_out(Kind::tk_long, getting<std::int32_t>); }
std::uint32_t DynAny::get_ulong() { return take_out(Kind::tk_ulong, getting<std::uint32_t>); }
std::int64_t DynAny::get_longlong() { return take_out(Kind::tk_longlong, getting<std::int64_t>); }
std::uint64_t DynAny::get_ulonglong() { return take_out(Kind::tk_ulonglong, getting<std::uint64_t>); }
float DynAny::get_float() { return take_out(Kind::tk_float, getting<float>); }
double DynAny::get_double() { return take_out(Kind::tk_double, getting<double>); }
long double DynAny::get_longdouble() {
  return take_out(Kind::tk_longdouble, [](Reader& in) { return in.get_long_double(); });
}
wchar_t DynAny::get_wchar() {
  return take_out(Kind::tk_wchar, [](Reader& in) { return in.get_wchar(); });
}

std::string DynAny::get_string() {
  return take_out(Kind::tk_string, [](Reader& in) {
    std::string text;
    in.get_string(text);
    return text;
  });
}

std::wstring DynAny::get_wstring() {
  return take_out(Kind::tk_wstring, [](Reader& in) {
    std::wstring text;
    in.get_wstring(text);
    return text;
  });
}

CORBA::object_reference<CORBA::Object> DynAny::get_reference() {
  return take_out(Kind::tk_objref, [](Reader& in) {
    return tenon::gen::make_stub<CORBA::Object>(tenon::gen::get_reference(in));
  });
}

CORBA::TypeCodeRef DynAny::get_typecode() {
  return take_out(Kind::tk_TypeCode, [](Reader& in) { return CORBA::TypeCodeRef(types::read(in)); });
}

CORBA::Any DynAny::get_any() {
  return take_out(Kind::tk_any, [](Reader& in) {
    CORBA::Any any;
    any._value(types::read_any(in, tenon::gen::passing_on));
    return any;
  });
}

DynAnyRef DynAny::get_dyn_any() { return tenon::dynamic::make_dyn_any(get_any()._value()); }

// --- value types ---

DynAny& DynAny::value_place() {
  const auto is_value = [](const DynAny& each) {
    return each._kind() == Kind::tk_value || each._kind() == Kind::tk_value_box ||
           each._kind() == Kind::tk_event;
  };
  check_alive();
  if (is_value(*this)) return *this;
  DynAny& found = place();
  if (!is_value(found)) throw TypeMismatch();
  return found;
}

void DynAny::insert_val(const CORBA::valuetype_reference<CORBA::ValueBase>& value) {
  DynAny& target = value_place();
  if (value) {
    const auto& ids = value->_value_info().ids;
    if (std::find(ids.begin(), ids.end(), target.plain_type().id) == ids.end()) throw TypeMismatch();
  }
  Writer out(types::Any::memory_format());
  tenon::gen::put_value(out, value.get());
  if (!out.good()) tenon::gen::raise(out.error());
  target.replace({target._type(), out.bytes(), out.format(), 0});
}

CORBA::valuetype_reference<CORBA::ValueBase> DynAny::get_val() {
  DynAny& target = value_place();
  const types::Any packed = target._pack();
  Reader in = packed.reader();
  auto value = tenon::gen::get_value(in, {.id = target.plain_type().id});
  if (!in.good()) tenon::gen::raise(in.error());
  return value;
}

// --- abstract interfaces ---

void DynAny::insert_abstract(const CORBA::object_reference<CORBA::AbstractBase>& value) {
  put_in(Kind::tk_abstract_interface, [&](Writer& out) { tenon::gen::AbstractBases::put(out, value); });
}

CORBA::object_reference<CORBA::AbstractBase> DynAny::get_abstract() {
  const types::Any packed = place_of(Kind::tk_abstract_interface)._pack();
  Reader in = packed.reader();
  CORBA::object_reference<CORBA::AbstractBase> value;
  tenon::gen::AbstractBases::get(in, value);
  if (!in.good()) tenon::gen::raise(in.error());
  return value;
}

// --- sequences and arrays of primitives: as one block, without components ---

namespace {

template <typename T>
void put_elements(Writer& out, const std::vector<T>& values) {
  if constexpr (std::is_same_v<T, bool>) {
    out.put_booleans(values);
  } else if constexpr (std::is_same_v<T, wchar_t>) {
    for (const wchar_t each : values) out.put_wchar(each);
  } else if constexpr (std::is_same_v<T, long double>) {
    for (const long double each : values) out.put_long_double(each);
  } else {
    out.put_array(values.data(), values.size());
  }
}

template <typename T>
void get_elements(Reader& in, std::vector<T>& values, std::size_t count) {
  if constexpr (std::is_same_v<T, bool>) {
    in.get_booleans(values, count);
  } else if constexpr (std::is_same_v<T, wchar_t>) {
    for (std::size_t i = 0; i < count && in.good(); ++i) values.push_back(in.get_wchar());
  } else if constexpr (std::is_same_v<T, long double>) {
    for (std::size_t i = 0; i < count && in.good(); ++i) values.push_back(in.get_long_double());
  } else {
    in.get_vector(values, count);
  }
}

}  // namespace

template <typename T>
void DynAny::insert_seq(Kind kind, const std::vector<T>& value) {
  DynAny& target = sequence_of(kind);
  const types::TypeCode& type = target.plain_type();
  const bool sequence = type.kind == Kind::tk_sequence;
  const bool fits = sequence ? type.length == 0 || value.size() <= type.length : value.size() == type.length;
  if (!fits) throw InvalidValue();
  Writer out(types::Any::memory_format());
  if (sequence) out.put_length(value.size());
  put_elements(out, value);
  if (!out.good()) tenon::gen::raise(out.error());
  target.replace({target._type(), out.bytes(), out.format(), 0});
}

template <typename T>
std::vector<T> DynAny::get_seq(Kind kind) {
  DynAny& target = sequence_of(kind);
  const types::TypeCode& type = target.plain_type();
  const types::Any value = target._pack();
  Reader in = value.reader();
  const std::size_t count = type.kind == Kind::tk_sequence ? in.get_length(1, type.length) : type.length;
  std::vector<T> values;
  if (in.good()) get_elements(in, values, count);
  if (!in.good()) throw InvalidValue();
  return values;
}

void DynAny::insert_boolean_seq(const CORBA::BooleanSeq& value) { insert_seq(Kind::tk_boolean, value); }
void DynAny::insert_octet_seq(const CORBA::OctetSeq& value) { insert_seq(Kind::tk_octet, value); }
void DynAny::insert_char_seq(const CORBA::CharSeq& value) { insert_seq(Kind::tk_char, value); }
void DynAny::insert_short_seq(const CORBA::ShortSeq& value) { insert_seq(Kind::tk_short, value); }
void DynAny::insert_ushort_seq(const CORBA::UShortSeq& value) { insert_seq(Kind::tk_ushort, value); }
void DynAny::insert_long_seq(const CORBA::LongSeq& value) { insert_seq(Kind::tk_long, value); }
void DynAny::insert_ulong_seq(const CORBA::ULongSeq& value) { insert_seq(Kind::tk_ulong, value); }
void DynAny::insert_float_seq(const CORBA::FloatSeq& value) { insert_seq(Kind::tk_float, value); }
void DynAny::insert_double_seq(const CORBA::DoubleSeq& value) { insert_seq(Kind::tk_double, value); }
void DynAny::insert_longlong_seq(const CORBA::LongLongSeq& value) { insert_seq(Kind::tk_longlong, value); }
void DynAny::insert_ulonglong_seq(const CORBA::ULongLongSeq& value) { insert_seq(Kind::tk_ulonglong, value); }
void DynAny::insert_longdouble_seq(const CORBA::LongDoubleSeq& value) {
  insert_seq(Kind::tk_longdouble, value);
}
void DynAny::insert_wchar_seq(const CORBA::WCharSeq& value) { insert_seq(Kind::tk_wchar, value); }

CORBA::BooleanSeq DynAny::get_boolean_seq() { return get_seq<bool>(Kind::tk_boolean); }
CORBA::OctetSeq DynAny::get_octet_seq() { return get_seq<std::uint8_t>(Kind::tk_octet); }
CORBA::CharSeq DynAny::get_char_seq() { return get_seq<char>(Kind::tk_char); }
CORBA::ShortSeq DynAny::get_short_seq() { return get_seq<std::int16_t>(Kind::tk_short); }
CORBA::UShortSeq DynAny::get_ushort_seq() { return get_seq<std::uint16_t>(Kind::tk_ushort); }
CORBA::LongSeq DynAny::get_long_seq() { return get_seq<std::int32_t>(Kind::tk_long); }
CORBA::ULongSeq DynAny::get_ulong_seq() { return get_seq<std::uint32_t>(Kind::tk_ulong); }
CORBA::FloatSeq DynAny::get_float_seq() { return get_seq<float>(Kind::tk_float); }
CORBA::DoubleSeq DynAny::get_double_seq() { return get_seq<double>(Kind::tk_double); }
CORBA::LongLongSeq DynAny::get_longlong_seq() { return get_seq<std::int64_t>(Kind::tk_longlong); }
CORBA::ULongLongSeq DynAny::get_ulonglong_seq() { return get_seq<std::uint64_t>(Kind::tk_ulonglong); }
CORBA::LongDoubleSeq DynAny::get_longdouble_seq() { return get_seq<long double>(Kind::tk_longdouble); }
CORBA::WCharSeq DynAny::get_wchar_seq() { return get_seq<wchar_t>(Kind::tk_wchar); }

}  // namespace cpp11
}  // namespace DynamicAny
