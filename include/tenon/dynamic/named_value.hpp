// SPDX-License-Identifier: Apache-2.0
//
// CORBA::NamedValue, NVList and ExceptionList (CORBA 3.4 part 1 §11.1, §11.3), mapped by the rules of IDL to C++11 for local
// interfaces. That mapping has no contexts, so there are none here.
//
// Requests are made of these, on the client's side and on the server's. One thread at a time per object.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "mapping/cpp11/types/sequences.hpp"
#include "mapping/cpp11/types/traits.hpp"
#include "tenon/corba/object.hpp"
#include "tenon/dynamic/any.hpp"
#include "tenon/portable_server/poa_exceptions.hpp"

namespace CORBA {
inline namespace cpp11 {

/// There is no item of that number (CORBA 3.4 part 1 §11.3).
class Bounds final : public tenon::gen::PlainException {
 public:
  Bounds() noexcept : PlainException(tenon::gen::plain_class<Bounds>) {}
  static constexpr std::string_view _static_id = "IDL:omg.org/CORBA/Bounds:1.0";
};

using Flags = std::uint32_t;
inline constexpr Flags ARG_IN = 1;
inline constexpr Flags ARG_OUT = 2;
inline constexpr Flags ARG_INOUT = 3;
inline constexpr Flags CTX_RESTRICT_SCOPE = 15;  ///< for contexts, which IDL to C++11 does not have

/// A parameter: its name (which does not travel), its value, its direction.
class NamedValue final : public LocalObject {
 public:
  static constexpr std::string_view _static_id = "IDL:omg.org/CORBA/NamedValue:1.0";

  NamedValue(std::string name, Any value, Flags flags)
      : name_(std::move(name)), value_(std::move(value)), flags_(flags) {}

  const std::string& name() const noexcept { return name_; }
  Flags flags() const noexcept { return flags_; }
  /// The reference is valid as long as this object. Before the call, the type of this value is the type of an out parameter.
  Any& value() noexcept { return value_; }
  const Any& value() const noexcept { return value_; }

 private:
  const std::string name_;
  Any value_;
  const Flags flags_;
  tenon::gen::OwnId<NamedValue> own_id_{*this};
};

class NVList final : public LocalObject {
 public:
  static constexpr std::string_view _static_id = "IDL:omg.org/CORBA/NVList:1.0";

  std::uint32_t count() const noexcept { return static_cast<std::uint32_t>(items_.size()); }
  /// BAD_PARAM unless flags say one of the three directions.
  object_reference<NamedValue> add(Flags flags) { return add_value({}, {}, flags); }
  object_reference<NamedValue> add_item(const Identifier& name, Flags flags) {
    return add_value(name, {}, flags);
  }
  object_reference<NamedValue> add_value(const Identifier& name, const Any& value, Flags flags);
  /// A type without a value yet, for out parameters and for those that a dynamic servant is to read.
  object_reference<NamedValue> add_type(const Identifier& name, const TypeCodeRef& type, Flags flags);
  /// Raises Bounds.
  object_reference<NamedValue> item(std::uint32_t index) const;
  void remove(std::uint32_t index);

 private:
  std::vector<object_reference<NamedValue>> items_;
  tenon::gen::OwnId<NVList> own_id_{*this};
};

/// TypeCodes of the user exceptions that an operation may raise.
class ExceptionList final : public LocalObject {
 public:
  static constexpr std::string_view _static_id = "IDL:omg.org/CORBA/ExceptionList:1.0";

  std::uint32_t count() const noexcept { return static_cast<std::uint32_t>(types_.size()); }
  /// BAD_PARAM unless it is an exception's.
  void add(const TypeCodeRef& exception);
  /// Raises Bounds.
  TypeCodeRef item(std::uint32_t index) const;
  void remove(std::uint32_t index);

 private:
  std::vector<TypeCodeRef> types_;
  tenon::gen::OwnId<ExceptionList> own_id_{*this};
};

}  // namespace cpp11
}  // namespace CORBA

template <>
struct IDL::traits<CORBA::NamedValue> : tenon::gen::LocalInterfaceTraits<CORBA::NamedValue> {};
template <>
struct IDL::traits<CORBA::NVList> : tenon::gen::LocalInterfaceTraits<CORBA::NVList> {};
template <>
struct IDL::traits<CORBA::ExceptionList> : tenon::gen::LocalInterfaceTraits<CORBA::ExceptionList> {};

namespace tenon::dynamic {
/// An Any that has a type and no value: nothing can be taken out of it.
CORBA::Any only_type(const CORBA::TypeCodeRef& type);
}  // namespace tenon::dynamic
