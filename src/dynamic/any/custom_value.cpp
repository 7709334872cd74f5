// SPDX-License-Identifier: Apache-2.0
//
// The functions of the streams of custom values that need Any and TypeCode (CORBA 3.4 part 1 §9.4.3).
#include "tenon/corba/custom_value.hpp"

#include "tenon/dynamic/any.hpp"
#include "tenon/dynamic/typecode.hpp"

namespace CORBA {
inline namespace cpp11 {

void DataOutputStream::write_any(const Any& value) { put_with<tenon::gen::Codec<Any>>(value); }

void DataOutputStream::write_TypeCode(const TypeCodeRef& value) {
  put_with<tenon::gen::Codec<TypeCodeRef>>(value);
}

void DataOutputStream::write_any_array(const std::vector<Any>& seq, std::uint32_t offset,
                                       std::uint32_t length) {
  put_each(seq, offset, length);
}

Any DataInputStream::read_any() { return get<Any>(); }

TypeCodeRef DataInputStream::read_TypeCode() { return get<TypeCodeRef>(); }

void DataInputStream::read_any_array(std::vector<Any>& seq, std::uint32_t offset, std::uint32_t length) {
  get_each(seq, offset, length);
}

}  // namespace cpp11
}  // namespace CORBA
