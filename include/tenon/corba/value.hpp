// SPDX-License-Identifier: Apache-2.0
//
// Value types (CORBA 3.4 part 1 §9, IDL to C++11 1.6 §6.18): CORBA::ValueBase, references to values, and how values travel.
//
// For valuetype V tenon-idl makes class V, whose state and operations are pure virtual; class OBV_V, which has the state; and class
// V_init, the factory. A value is a counted C++ object of this process: copies of the reference share it, and a cycle of values
// lives until it is broken. A value type is as thread-safe as its implementation makes it.
#pragma once

#include <span>
#include <string_view>

#include "base/minor_codes.hpp"
#include "cdr/reader.hpp"
#include "cdr/values.hpp"
#include "cdr/writer.hpp"
#include "tenon/corba/object_reference.hpp"

namespace tenon::gen {

/// What is sent about a value's type.
struct ValueInfo {
  /// The type's repository id, then those of the bases that a receiver may truncate it to.
  std::span<const std::string_view> ids;
  bool custom = false;

  bool chunked() const noexcept { return custom || ids.size() > 1; }
};

}  // namespace tenon::gen

namespace CORBA {
inline namespace cpp11 {

class Object;

template <typename T>
using valuetype_reference = object_reference<T>;
template <typename T>
using weak_valuetype_reference = weak_object_reference<T>;

/// Base of all values, made with make_reference<OBV_V>(...) or a factory of the application.
class ValueBase : public virtual Counted, public tenon::cdr::ValueObject {
 public:
  static constexpr std::string_view _static_id = "IDL:omg.org/CORBA/ValueBase:1.0";

  /// A copy of this value and of all that it refers to, made as a receiver would make it: by the ORB's factories.
  valuetype_reference<ValueBase> _copy_value() const;
  /// The ValueDef of its type, from the interface repository that the ORB knows; narrow it to the stubs of the repository's IDL. INTF_REPOS
  /// (minor OMG 1) where there is none.
  object_reference<Object> _get_value_def() const;

  // --- generated; the ORB's own ---
  virtual const tenon::gen::ValueInfo& _value_info() const noexcept = 0;
  virtual void _put_state(tenon::cdr::Writer& out) const = 0;
  virtual void _get_state(tenon::cdr::Reader& in) = 0;
  /// Drops the references to other values that the state may have.
  virtual void _clear_state() {}
  void value_hold() const noexcept final { const_cast<ValueBase*>(this)->_add_ref(); }
  void value_drop() const noexcept final { const_cast<ValueBase*>(this)->_remove_ref(); }
  void value_clear() noexcept final;

 protected:
  ValueBase() = default;
};

/// What generated code declares for value type T (§6.18): ref_type, weak_ref_type, obv_type, factory_type, narrow().
template <typename T>
struct valuetype_traits : IDL::traits<T> {};

}  // namespace cpp11
}  // namespace CORBA

namespace tenon::gen {

using ValueRef = CORBA::valuetype_reference<CORBA::ValueBase>;

/// The type that IDL gives to the place where a value is read.
struct ExpectedValue {
  std::string_view id;                    ///< of the type; a value that names no type has this one
  CORBA::ValueBase* (*make)() = nullptr;  ///< a box or one of the ORB's own, which needs no factory
};

/// Writes a value, null, or an indirection to where it was written before in this message. What a custom value's marshal() throws
/// becomes the writer's error.
void put_value(cdr::Writer& out, const CORBA::ValueBase* value) noexcept;
/// Reads a value with the ORB's factories: MARSHAL (minor OMG 1) when there is none for it, nor for a base that it may be truncated
/// to. Null for null, and after an error.
ValueRef get_value(cdr::Reader& in, const ExpectedValue& expected);

/// A types::CarryValue for values whose type this ORB has a factory for: reads such a value, and writes it if there is a writer. It also
/// takes an indirection to an earlier value for which an object was made.
bool carry_value(cdr::Reader& in, cdr::Writer* out, const cdr::ValueHeader& head, std::string_view expected);

template <typename V>
concept Box = requires { typename V::_boxed_type; };

template <typename V>
constexpr ExpectedValue expected_value() {
  if constexpr (Box<V>) {
    return {V::_static_id, []() -> CORBA::ValueBase* { return new V; }};
  } else if constexpr (requires { V::_make(); }) {
    return {V::_static_id, &V::_make};
  } else {
    return {V::_static_id, nullptr};
  }
}

/// A value that was read, as the type that is expected there.
template <typename T>
CORBA::object_reference<T> value_as(cdr::Reader& in, ValueRef value) {
  if constexpr (std::is_same_v<T, CORBA::ValueBase>) {
    return value;
  } else {
    if (!value) return nullptr;
    auto* const same = dynamic_cast<T*>(value.get());
    if (same == nullptr) in.fail(errors::wrong_value_type);
    return CORBA::object_reference<T>(same);
  }
}

/// The codec of value types and boxes.
template <typename V>
struct Value {
  using value_type = CORBA::valuetype_reference<V>;
  static constexpr std::size_t smallest = 4;
  static void put(cdr::Writer& out, const value_type& value) noexcept { put_value(out, value.get()); }
  static void get(cdr::Reader& in, value_type& value) {
    value = value_as<V>(in, get_value(in, expected_value<V>()));
  }
};

/// The base of IDL::traits of a value type; Obv and Factory are void if there are none.
template <typename V, typename Obv, typename Factory>
struct ValueTypeTraits {
  using ref_type = CORBA::valuetype_reference<V>;
  using weak_ref_type = CORBA::weak_valuetype_reference<V>;
  using obv_type = Obv;
  using factory_type = Factory;
  using base_type = V;
  /// Nil when the value is of another type.
  template <typename T>
  static ref_type narrow(const CORBA::object_reference<T>& value) {
    return ref_type(dynamic_cast<V*>(value.get()));
  }
};

}  // namespace tenon::gen

template <>
struct IDL::traits<CORBA::ValueBase> : tenon::gen::ValueTypeTraits<CORBA::ValueBase, void, void> {};
