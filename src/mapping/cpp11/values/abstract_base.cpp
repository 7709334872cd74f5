// SPDX-License-Identifier: Apache-2.0
#include "tenon/corba/abstract_base.hpp"

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
