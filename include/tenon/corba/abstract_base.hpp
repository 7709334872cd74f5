// SPDX-License-Identifier: Apache-2.0
//
// The base of abstract interfaces (CORBA 3.4 part 1 §14; IDL to C++11 1.6 §6.19): what is known of such a parameter is only that it is an
// object or a value. Generated classes of abstract interfaces derive from it. Threads: as the object or value itself.
#pragma once

#include "tenon/corba/object.hpp"
#include "tenon/corba/value.hpp"

namespace CORBA {
inline namespace cpp11 {

class AbstractBase : public virtual Counted {
 public:
  static constexpr std::string_view _static_id = "IDL:omg.org/CORBA/AbstractBase:1.0";

  /// The object that this refers to; nil if it is a value.
  object_reference<Object> _to_object();
  /// The value that this is; null if it refers to an object.
  valuetype_reference<ValueBase> _to_value();

 protected:
  AbstractBase() = default;
};

}  // namespace cpp11
}  // namespace CORBA

template <>
struct IDL::traits<CORBA::AbstractBase> {
  using ref_type = CORBA::object_reference<CORBA::AbstractBase>;
  using weak_ref_type = CORBA::weak_object_reference<CORBA::AbstractBase>;
  using base_type = CORBA::AbstractBase;
};

namespace tenon::gen {

/// An object of which is known only that it has an abstract interface; _to_object() can be narrowed to that.
class AbstractObject final : public virtual CORBA::Object, public virtual CORBA::AbstractBase {};

/// The codec of AbstractBase: as of any abstract interface (part 2 §9.3.6). A value whose type supports no abstract interface is an error.
struct AbstractBases {
  using value_type = CORBA::object_reference<CORBA::AbstractBase>;
  static constexpr std::size_t smallest = 5;
  static void put(cdr::Writer& out, const value_type& value);
  static void get(cdr::Reader& in, value_type& value);
};

}  // namespace tenon::gen
