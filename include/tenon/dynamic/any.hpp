// SPDX-License-Identifier: Apache-2.0
//
// CORBA::Any (IDL to C++11 1.6 §6.23), over types::Any, and what its operators are made of.
//
// A value inside is CDR: insertion encodes, extraction decodes. One thread at a time per object; copies are independent.
#pragma once

#include <vector>

#include "base/function_ref.hpp"
#include "mapping/cpp11/calls/call.hpp"
#include "tenon/dynamic/typecode.hpp"
#include "types/any.hpp"

namespace CORBA {
inline namespace cpp11 {

class Any {
 public:
  /// Empty: its type is tk_null.
  Any() noexcept = default;

  TypeCodeRef type() const { return TypeCodeRef(value_.type()); }
  /// Replaces the type by an equivalent one, such as an alias; BAD_TYPECODE unless the two are equivalent.
  void type(const TypeCodeRef& type);
  bool has_value() const noexcept { return value_.type()->kind != TCKind::tk_null; }
  void reset() noexcept { value_ = {}; }
  void swap(Any& other) noexcept { std::swap(value_, other.value_); }

  const tenon::types::Any& _value() const noexcept { return value_; }
  void _value(tenon::types::Any value) noexcept { value_ = std::move(value); }

 private:
  tenon::types::Any value_;
};

inline void swap(Any& a, Any& b) noexcept { a.swap(b); }

using AnySeq = std::vector<Any>;

}  // namespace cpp11
}  // namespace CORBA

namespace tenon::gen {

template <>
struct Codec<CORBA::Any> {
  using value_type = CORBA::Any;
  static constexpr std::size_t smallest = 4;
  static void put(cdr::Writer& out, const value_type& value);
  static void get(cdr::Reader& in, value_type& value);
};

/// How Anys are passed on: by program, or by the ORB's factories if an Any holds values that its TypeCode does not fully describe.
extern const types::Runner passing_on;

/// A copy of what was put into an Any, made if that holds values that the TypeCode does not fully describe. It refers to those values.
template <typename T, typename C>
class InAnySource final : public types::AnySource {
 public:
  explicit InAnySource(const T& from) : value(from) {}
  void put(cdr::Writer& out) const override { C::put(out, value); }

  const T value;
};
using MakeSource = FunctionRef<Ref<const types::AnySource>()>;
inline Ref<const types::AnySource> no_source() { return {}; }
/// Copies the source's value and returns true, if it is of the type that is wanted.
using TakeSource = FunctionRef<bool(const types::AnySource& source)>;

/// Encodes a value. Raises the error of the codec, if there is one.
void insert(CORBA::Any& any, const types::TypeRef& type, Put put, MakeSource source = no_source);
/// The same where the TypeCode is the caller's choice: BAD_TYPECODE unless it describes `own`, the type of the value, but for
/// aliases and bounds; BAD_PARAM when the value is above its bounds.
void insert_as(CORBA::Any& any, const CORBA::TypeCodeRef& type, const types::TypeCode& own, Put put,
               MakeSource source);

enum class Match {
  unbounded,  ///< equivalent but for bounds, which C++ types do not have
  exact,      ///< equivalent
  reference,  ///< any object reference
};
/// Takes the value if it is of that type, from the source or by decoding, where `get` must read all bytes. False otherwise. A truncatable
/// value of a type that this ORB has no factory for counts as one of its known base.
bool extract(const CORBA::Any& any, const types::TypeCode& type, Match match, TakeSource take, Get get);

}  // namespace tenon::gen
