// SPDX-License-Identifier: Apache-2.0
//
// Custom value types (CORBA 3.4 part 1 §9.4): the application writes and reads the state itself, with the streams here.
//
// A stream lives as long as the message: marshal() and unmarshal() must not keep it. Errors of the message are raised when the
// stream's call returns, so that a loop over bad data ends. What names Any or TypeCode is defined in src/dynamic. One thread.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "mapping/cpp11/calls/call.hpp"
#include "mapping/cpp11/corba/plain_exception.hpp"
#include "mapping/cpp11/types/any_fwd.hpp"
#include "mapping/cpp11/types/codec.hpp"
#include "mapping/cpp11/types/sequences.hpp"
#include "tenon/corba/abstract_base.hpp"
#include "tenon/corba/value.hpp"

namespace CORBA {
inline namespace cpp11 {

/// An Any for a fixed holds something else, or there is no fixed of so many digits; `offset`: which element of the sequence (§9.4.3).
class BadFixedValue final : public tenon::gen::PlainException {
 public:
  static constexpr std::string_view _static_id = "IDL:omg.org/CORBA/BadFixedValue:1.0";
  BadFixedValue() noexcept : PlainException(tenon::gen::class_with_members<BadFixedValue>) {}
  explicit BadFixedValue(std::uint32_t offset) noexcept
      : PlainException(tenon::gen::class_with_members<BadFixedValue>), offset_(offset) {}
  std::uint32_t offset() const noexcept { return offset_; }
  [[noreturn]] void _raise() const override { throw *this; }
  void _put(tenon::cdr::Writer& out) const override { out.put(offset_); }
  const char* _members() const noexcept override { return "offset:L"; }

 private:
  std::uint32_t offset_ = 0;
};

/// The stream to which a custom value writes its state (§9.4.3).
class DataOutputStream final : public virtual Counted {
 public:
  explicit DataOutputStream(tenon::cdr::Writer& out) noexcept : out_(out) {}

  void write_any(const Any& value);
  void write_TypeCode(const TypeCodeRef& value);
  void write_boolean(bool value) { put(value); }
  void write_char(char value) { put(value); }
  void write_wchar(wchar_t value) { put(value); }
  void write_octet(std::uint8_t value) { put(value); }
  void write_short(std::int16_t value) { put(value); }
  void write_ushort(std::uint16_t value) { put(value); }
  void write_long(std::int32_t value) { put(value); }
  void write_ulong(std::uint32_t value) { put(value); }
  void write_longlong(std::int64_t value) { put(value); }
  void write_ulonglong(std::uint64_t value) { put(value); }
  void write_float(float value) { put(value); }
  void write_double(double value) { put(value); }
  void write_longdouble(long double value) { put(value); }
  void write_string(const std::string& value) { put_with<tenon::gen::String<>>(value); }
  void write_wstring(const std::wstring& value) { put_with<tenon::gen::WString<>>(value); }
  void write_Object(const object_reference<Object>& value) { put_with<tenon::gen::Reference<Object>>(value); }
  void write_Abstract(const object_reference<AbstractBase>& value) {
    put_with<tenon::gen::AbstractBases>(value);
  }
  void write_Value(const valuetype_reference<ValueBase>& value) {
    put_with<tenon::gen::Value<ValueBase>>(value);
  }

  // Elements offset .. offset + length - 1, without a length; BAD_PARAM when the sequence has fewer.
  void write_any_array(const std::vector<Any>& seq, std::uint32_t offset, std::uint32_t length);
  void write_boolean_array(const BooleanSeq& seq, std::uint32_t offset, std::uint32_t length) {
    put_each(seq, offset, length);
  }
  void write_char_array(const CharSeq& seq, std::uint32_t offset, std::uint32_t length) {
    put_each(seq, offset, length);
  }
  void write_wchar_array(const WCharSeq& seq, std::uint32_t offset, std::uint32_t length) {
    put_each(seq, offset, length);
  }
  void write_octet_array(const OctetSeq& seq, std::uint32_t offset, std::uint32_t length) {
    put_each(seq, offset, length);
  }
  void write_short_array(const ShortSeq& seq, std::uint32_t offset, std::uint32_t length) {
    put_each(seq, offset, length);
  }
  void write_ushort_array(const UShortSeq& seq, std::uint32_t offset, std::uint32_t length) {
    put_each(seq, offset, length);
  }
  void write_long_array(const LongSeq& seq, std::uint32_t offset, std::uint32_t length) {
    put_each(seq, offset, length);
  }
  void write_ulong_array(const ULongSeq& seq, std::uint32_t offset, std::uint32_t length) {
    put_each(seq, offset, length);
  }
  void write_longlong_array(const LongLongSeq& seq, std::uint32_t offset, std::uint32_t length) {
    put_each(seq, offset, length);
  }
  void write_ulonglong_array(const ULongLongSeq& seq, std::uint32_t offset, std::uint32_t length) {
    put_each(seq, offset, length);
  }
  void write_float_array(const FloatSeq& seq, std::uint32_t offset, std::uint32_t length) {
    put_each(seq, offset, length);
  }
  void write_double_array(const DoubleSeq& seq, std::uint32_t offset, std::uint32_t length) {
    put_each(seq, offset, length);
  }
  void write_long_double_array(const LongDoubleSeq& seq, std::uint32_t offset, std::uint32_t length) {
    put_each(seq, offset, length);
  }
  void write_longdouble_array(const LongDoubleSeq& seq, std::uint32_t offset, std::uint32_t length) {
    put_each(seq, offset, length);
  }

  // A fixed in an Any travels with the digits and scale of the Any's TypeCode, which are not sent. Raise BadFixedValue.
  void write_fixed(const Any& fixed_value);
  void write_fixed_array(const std::vector<Any>& seq, std::uint32_t offset, std::uint32_t length);

  /// Any type of IDL, by its codec: what C++ may do beyond the standard's list.
  template <typename C>
  void put_with(const typename C::value_type& value) {
    C::put(out_, value);
    check();
  }

 private:
  template <typename T>
  void put(T value) {
    put_with<tenon::gen::Codec<T>>(value);
  }
  template <typename T>
  void put_each(const std::vector<T>& seq, std::uint32_t offset, std::uint32_t length) {
    check_range(seq.size(), offset, length);
    for (std::size_t i = 0; i < length; ++i) tenon::gen::Codec<T>::put(out_, seq[offset + i]);
    check();
  }
  static void check_range(std::size_t size, std::uint32_t offset, std::uint32_t length);
  void check() const {
    if (!out_.good()) tenon::gen::raise(out_.error());
  }

  tenon::cdr::Writer& out_;
};

/// The stream from which a custom value reads its state (§9.4.3).
class DataInputStream final : public virtual Counted {
 public:
  explicit DataInputStream(tenon::cdr::Reader& in) noexcept : in_(in) {}

  Any read_any();
  TypeCodeRef read_TypeCode();
  bool read_boolean() { return get<bool>(); }
  char read_char() { return get<char>(); }
  wchar_t read_wchar() { return get<wchar_t>(); }
  std::uint8_t read_octet() { return get<std::uint8_t>(); }
  std::int16_t read_short() { return get<std::int16_t>(); }
  std::uint16_t read_ushort() { return get<std::uint16_t>(); }
  std::int32_t read_long() { return get<std::int32_t>(); }
  std::uint32_t read_ulong() { return get<std::uint32_t>(); }
  std::int64_t read_longlong() { return get<std::int64_t>(); }
  std::uint64_t read_ulonglong() { return get<std::uint64_t>(); }
  float read_float() { return get<float>(); }
  double read_double() { return get<double>(); }
  long double read_longdouble() { return get<long double>(); }
  std::string read_string() { return get_with<tenon::gen::String<>>(); }
  std::wstring read_wstring() { return get_with<tenon::gen::WString<>>(); }
  object_reference<Object> read_Object() { return get_with<tenon::gen::Reference<Object>>(); }
  object_reference<AbstractBase> read_Abstract() { return get_with<tenon::gen::AbstractBases>(); }
  valuetype_reference<ValueBase> read_Value() { return get_with<tenon::gen::Value<ValueBase>>(); }

  // These read into elements offset .. offset + length - 1 of the sequence, which grows where it must.
  void read_any_array(std::vector<Any>& seq, std::uint32_t offset, std::uint32_t length);
  void read_boolean_array(BooleanSeq& seq, std::uint32_t offset, std::uint32_t length) {
    get_each(seq, offset, length);
  }
  void read_char_array(CharSeq& seq, std::uint32_t offset, std::uint32_t length) {
    get_each(seq, offset, length);
  }
  void read_wchar_array(WCharSeq& seq, std::uint32_t offset, std::uint32_t length) {
    get_each(seq, offset, length);
  }
  void read_octet_array(OctetSeq& seq, std::uint32_t offset, std::uint32_t length) {
    get_each(seq, offset, length);
  }
  void read_short_array(ShortSeq& seq, std::uint32_t offset, std::uint32_t length) {
    get_each(seq, offset, length);
  }
  void read_ushort_array(UShortSeq& seq, std::uint32_t offset, std::uint32_t length) {
    get_each(seq, offset, length);
  }
  void read_long_array(LongSeq& seq, std::uint32_t offset, std::uint32_t length) {
    get_each(seq, offset, length);
  }
  void read_ulong_array(ULongSeq& seq, std::uint32_t offset, std::uint32_t length) {
    get_each(seq, offset, length);
  }
  void read_longlong_array(LongLongSeq& seq, std::uint32_t offset, std::uint32_t length) {
    get_each(seq, offset, length);
  }
  void read_ulonglong_array(ULongLongSeq& seq, std::uint32_t offset, std::uint32_t length) {
    get_each(seq, offset, length);
  }
  void read_float_array(FloatSeq& seq, std::uint32_t offset, std::uint32_t length) {
    get_each(seq, offset, length);
  }
  void read_double_array(DoubleSeq& seq, std::uint32_t offset, std::uint32_t length) {
    get_each(seq, offset, length);
  }
  void read_long_double_array(LongDoubleSeq& seq, std::uint32_t offset, std::uint32_t length) {
    get_each(seq, offset, length);
  }
  void read_longdouble_array(LongDoubleSeq& seq, std::uint32_t offset, std::uint32_t length) {
    get_each(seq, offset, length);
  }

  // The Any's type is fixed<digits, scale>. BadFixedValue unless there is such a type; MARSHAL when the octets are no such value.
  Any read_fixed(std::uint16_t digits, std::int16_t scale);
  void read_fixed_array(std::vector<Any>& seq, std::uint32_t offset, std::uint32_t length,
                        std::uint16_t digits, std::int16_t scale);

  /// Any type of IDL, by its codec.
  template <typename C>
  typename C::value_type get_with() {
    typename C::value_type value{};
    C::get(in_, value);
    check();
    return value;
  }

 private:
  template <typename T>
  T get() {
    return get_with<tenon::gen::Codec<T>>();
  }
  template <typename T>
  void get_each(std::vector<T>& seq, std::uint32_t offset, std::uint32_t length) {
    check_ahead(length);
    if (seq.size() < std::size_t{offset} + length) seq.resize(std::size_t{offset} + length);
    for (std::size_t i = 0; i < length; ++i) {
      T element{};
      tenon::gen::Codec<T>::get(in_, element);
      seq[offset + i] = element;
    }
    check();
  }
  /// Fails before memory is taken for elements that cannot have come: each takes at least one octet.
  void check_ahead(std::uint32_t length);
  void check() const {
    if (!in_.good()) tenon::gen::raise(in_.error());
  }

  tenon::cdr::Reader& in_;
};

/// Base of custom value types (§9.4.2).
class CustomMarshal : public virtual ValueBase {
 public:
  virtual void marshal(const object_reference<DataOutputStream>& os) = 0;
  virtual void unmarshal(const object_reference<DataInputStream>& is) = 0;

  void _put_state(tenon::cdr::Writer& out) const override;
  void _get_state(tenon::cdr::Reader& in) override;

 protected:
  CustomMarshal() = default;
};

}  // namespace cpp11
}  // namespace CORBA

template <>
struct IDL::traits<CORBA::DataOutputStream> {
  using ref_type = CORBA::object_reference<CORBA::DataOutputStream>;
};
template <>
struct IDL::traits<CORBA::DataInputStream> {
  using ref_type = CORBA::object_reference<CORBA::DataInputStream>;
};
