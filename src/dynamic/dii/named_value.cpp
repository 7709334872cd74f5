// SPDX-License-Identifier: Apache-2.0
#include "tenon/dynamic/named_value.hpp"

#include "base/minor_codes.hpp"

namespace CORBA {
inline namespace cpp11 {

object_reference<NamedValue> NVList::add_value(const Identifier& name, const Any& value, Flags flags) {
  if (flags < ARG_IN || flags > ARG_INOUT) tenon::gen::raise(tenon::errors::bad_argument_flags);
  return items_.emplace_back(make_reference<NamedValue>(name, value, flags));
}

object_reference<NamedValue> NVList::add_type(const Identifier& name, const TypeCodeRef& type, Flags flags) {
  return add_value(name, tenon::dynamic::only_type(type), flags);
}

object_reference<NamedValue> NVList::item(std::uint32_t index) const {
  if (index >= items_.size()) throw Bounds();
  return items_[index];
}

void NVList::remove(std::uint32_t index) {
  if (index >= items_.size()) throw Bounds();
  items_.erase(items_.begin() + index);
}

void ExceptionList::add(const TypeCodeRef& exception) {
  if (!exception || exception->kind() != TCKind::tk_except)
    tenon::gen::raise(tenon::errors::not_an_exception);
  types_.push_back(exception);
}

TypeCodeRef ExceptionList::item(std::uint32_t index) const {
  if (index >= types_.size()) throw Bounds();
  return types_[index];
}

void ExceptionList::remove(std::uint32_t index) {
  if (index >= types_.size()) throw Bounds();
  types_.erase(types_.begin() + index);
}

}  // namespace cpp11
}  // namespace CORBA

namespace tenon::dynamic {

CORBA::Any only_type(const CORBA::TypeCodeRef& type) {
  if (!type) gen::raise(errors::incomplete_typecode_parameter);
  CORBA::Any any;
  any._value(types::Any(type->_type(), {}, types::Any::memory_format(), 0));
  return any;
}

}  // namespace tenon::dynamic
