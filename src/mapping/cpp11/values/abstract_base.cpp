// SPDX-License-Identifier: Apache-2.0
#include "tenon/corba/abstract_base.hpp"

#include "base/minor_codes.hpp"
#include "mapping/cpp11/calls/call.hpp"

namespace CORBA {
inline namespace cpp11 {

// A value whose type supports an abstract interface has the interface's class as a base, and so is an Object for C++ alone.
object_reference<Object> AbstractBase::_to_object() {
  if (dynamic_cast<ValueBase*>(this) != nullptr) return nullptr;
  return object_reference<Object>(dynamic_cast<Object*>(this));
}

valuetype_reference<ValueBase> AbstractBase::_to_value() {
  return valuetype_reference<ValueBase>(dynamic_cast<ValueBase*>(this));
}

}  // namespace cpp11
}  // namespace CORBA

namespace tenon::gen {

void AbstractBases::put(cdr::Writer& out, const value_type& value) {
  const auto object = value ? value->_to_object() : nullptr;
  out.put(object != nullptr);
  if (object) return put_reference(out, object.get());
  put_value(out, value ? value->_to_value().get() : nullptr);
}

void AbstractBases::get(cdr::Reader& in, value_type& value) {
  value.reset();
  if (in.get<bool>()) {
    value = make_stub<AbstractObject>(get_reference(in));
    return;
  }
  const ValueRef given = get_value(in, {});
  if (!given) return;
  value = value_type(dynamic_cast<CORBA::AbstractBase*>(given.get()));
  if (!value) in.fail(errors::wrong_value_type);
}

}  // namespace tenon::gen
