// SPDX-License-Identifier: Apache-2.0
//
// The functions of the streams of custom values that need Any and TypeCode (CORBA 3.4 part 1 §9.4.3).
#include "tenon/corba/custom_value.hpp"

#include "tenon/dynamic/any.hpp"
#include "tenon/dynamic/typecode.hpp"
#include "types/create.hpp"

namespace CORBA {
inline namespace cpp11 {

namespace types = tenon::types;

namespace {

types::TypeRef fixed_type(std::uint16_t digits, std::int16_t scale) {
  const auto made = types::create_fixed(digits, scale);
  if (!made) throw BadFixedValue(0);
  return *made;
}

}  // namespace

void DataOutputStream::write_any(const Any& value) { put_with<tenon::gen::Codec<Any>>(value); }

void DataOutputStream::write_TypeCode(const TypeCodeRef& value) {
  put_with<tenon::gen::Codec<TypeCodeRef>>(value);
}

void DataOutputStream::write_any_array(const std::vector<Any>& seq, std::uint32_t offset,
                                       std::uint32_t length) {
  put_each(seq, offset, length);
}

void DataOutputStream::write_fixed(const Any& fixed_value) { write_fixed_array({fixed_value}, 0, 1); }

void DataOutputStream::write_fixed_array(const std::vector<Any>& seq, std::uint32_t offset,
                                         std::uint32_t length) {
  check_range(seq.size(), offset, length);
  // All are looked at first, so that none has been written when one is wrong.
  for (std::uint32_t i = offset; i != offset + length; ++i) {
    if (types::unaliased(*seq[i]._value().type()).kind != TCKind::tk_fixed) throw BadFixedValue(i);
  }
  for (std::uint32_t i = offset; i != offset + length; ++i) types::write_value(out_, seq[i]._value());
  check();
}

Any DataInputStream::read_any() { return get<Any>(); }

TypeCodeRef DataInputStream::read_TypeCode() { return get<TypeCodeRef>(); }

void DataInputStream::read_any_array(std::vector<Any>& seq, std::uint32_t offset, std::uint32_t length) {
  get_each(seq, offset, length);
}

Any DataInputStream::read_fixed(std::uint16_t digits, std::int16_t scale) {
  std::vector<Any> one;
  read_fixed_array(one, 0, 1, digits, scale);
  return std::move(one.front());
}

void DataInputStream::read_fixed_array(std::vector<Any>& seq, std::uint32_t offset, std::uint32_t length,
                                       std::uint16_t digits, std::int16_t scale) {
  const types::TypeRef type = fixed_type(digits, scale);
  check_ahead(length);
  if (seq.size() < std::size_t{offset} + length) seq.resize(std::size_t{offset} + length);
  for (std::size_t i = 0; i < length; ++i) seq[offset + i]._value(types::read_value(in_, type));
  check();
}

}  // namespace cpp11
}  // namespace CORBA
