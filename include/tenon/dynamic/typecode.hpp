// SPDX-License-Identifier: Apache-2.0
//
// CORBA::TypeCode in the C++11 mapping (CORBA 3.4 part 1 §8.11), over types::TypeCode.
//
// A reference to a TypeCode is not a counted object as other references are: it is a types::TypeRef. The constants that programs
// write, CORBA::_tc_long and _tc_Card of generated code, are such references, to nodes of constant data that live as long as the
// program: they may be copied, kept and assigned to like all others. Immutable, so safe from any thread.
#pragma once

#include <string>

#include "dynamic/any/type_constants.hpp"
#include "mapping/cpp11/types/any_fwd.hpp"
#include "mapping/cpp11/types/traits.hpp"
#include "tenon/corba/exception.hpp"
#include "tenon/corba/object_reference.hpp"
#include "types/typecode.hpp"

namespace CORBA {
inline namespace cpp11 {

using TCKind = tenon::types::Kind;
using Visibility = std::int16_t;
using ValueModifier = std::int16_t;

inline constexpr Visibility PRIVATE_MEMBER = 0;
inline constexpr Visibility PUBLIC_MEMBER = 1;
inline constexpr ValueModifier VM_NONE = 0;
inline constexpr ValueModifier VM_CUSTOM = 1;
inline constexpr ValueModifier VM_ABSTRACT = 2;
inline constexpr ValueModifier VM_TRUNCATABLE = 3;

class TypeCode {
 public:
  static constexpr std::string_view _static_id = "IDL:omg.org/CORBA/TypeCode:1.0";

  /// TypeCodes of this kind do not have what was asked for.
  class BadKind final : public UserException {
   public:
    static constexpr std::string_view _static_id = "IDL:omg.org/CORBA/TypeCode/BadKind:1.0";
    std::string_view _rep_id() const noexcept override { return _static_id; }
    std::string_view _name() const noexcept override { return "BadKind"; }
    [[noreturn]] void _raise() const override { throw *this; }
    void _put(tenon::cdr::Writer&) const override {}
  };
  /// There is no member of that number.
  class Bounds final : public UserException {
   public:
    static constexpr std::string_view _static_id = "IDL:omg.org/CORBA/TypeCode/Bounds:1.0";
    std::string_view _rep_id() const noexcept override { return _static_id; }
    std::string_view _name() const noexcept override { return "Bounds"; }
    [[noreturn]] void _raise() const override { throw *this; }
    void _put(tenon::cdr::Writer&) const override {}
  };

  TypeCode() noexcept = default;  ///< without a type: what a nil reference holds
  explicit TypeCode(tenon::types::TypeRef type) noexcept : type_(std::move(type)) {}
  constexpr explicit TypeCode(const tenon::types::TypeCode& node) noexcept : type_(node) {}

  bool equal(const TypeCodeRef& other) const;
  bool equivalent(const TypeCodeRef& other) const;
  TypeCodeRef get_compact_typecode() const;
  /// As all functions below: BAD_TYPECODE (minor OMG 1) for the result of ORB::create_recursive_tc(), until a type is made around it.
  TCKind kind() const;

  // Each raises BadKind or Bounds.
  std::string id() const;
  std::string name() const;
  std::uint32_t member_count() const;
  std::string member_name(std::uint32_t index) const;
  TypeCodeRef member_type(std::uint32_t index) const;
  /// The octet 0 for the default case.
  Any member_label(std::uint32_t index) const;
  TypeCodeRef discriminator_type() const;
  std::int32_t default_index() const;
  std::uint32_t length() const;
  TypeCodeRef content_type() const;
  std::uint16_t fixed_digits() const;
  std::int16_t fixed_scale() const;
  Visibility member_visibility(std::uint32_t index) const;
  ValueModifier type_modifier() const;
  TypeCodeRef concrete_base_type() const;

  const tenon::types::TypeRef& _type() const noexcept { return type_; }

 private:
  tenon::types::TypeRef type_;
};

template <>
class object_reference<TypeCode> {
 public:
  using element_type = TypeCode;

  object_reference() noexcept = default;
  object_reference(std::nullptr_t) noexcept {}
  explicit object_reference(tenon::types::TypeRef type) noexcept : code_(std::move(type)) {}
  /// Refers to constant data, which must outlive all references to it.
  constexpr explicit object_reference(const tenon::types::TypeCode& node) noexcept : code_(node) {}
  object_reference(const tenon::types::TypeCode&& node) = delete;  // would not live

  /// INV_OBJREF for nil.
  const TypeCode* operator->() const { return &**this; }
  const TypeCode& operator*() const {
    if (!*this) tenon::gen::raise_nil_called();
    return code_;
  }
  explicit operator bool() const noexcept { return static_cast<bool>(code_._type()); }
  void reset() noexcept { code_ = TypeCode(); }
  friend bool operator==(const object_reference& a, std::nullptr_t) noexcept { return !a; }

  const tenon::types::TypeRef& _type() const noexcept { return code_._type(); }

 private:
  TypeCode code_;
};

}  // namespace cpp11
}  // namespace CORBA

template <>
struct IDL::traits<CORBA::TypeCode> {
  using ref_type = CORBA::TypeCodeRef;
};

namespace tenon::gen {

template <>
struct Codec<CORBA::TCKind> : Enum<CORBA::TCKind, types::kinds> {};

template <>
struct Codec<CORBA::TypeCodeRef> {
  using value_type = CORBA::TypeCodeRef;
  static constexpr std::size_t smallest = 4;
  static void put(cdr::Writer& out, const value_type& value);
  static void get(cdr::Reader& in, value_type& value);
};

}  // namespace tenon::gen

namespace CORBA {
inline namespace cpp11 {

inline constexpr TypeCodeRef _tc_null{tenon::gen::basic_type<TCKind::tk_null>};
inline constexpr TypeCodeRef _tc_void{tenon::gen::basic_type<TCKind::tk_void>};
inline constexpr TypeCodeRef _tc_short{tenon::gen::basic_type<TCKind::tk_short>};
inline constexpr TypeCodeRef _tc_long{tenon::gen::basic_type<TCKind::tk_long>};
inline constexpr TypeCodeRef _tc_ushort{tenon::gen::basic_type<TCKind::tk_ushort>};
inline constexpr TypeCodeRef _tc_ulong{tenon::gen::basic_type<TCKind::tk_ulong>};
inline constexpr TypeCodeRef _tc_longlong{tenon::gen::basic_type<TCKind::tk_longlong>};
inline constexpr TypeCodeRef _tc_ulonglong{tenon::gen::basic_type<TCKind::tk_ulonglong>};
inline constexpr TypeCodeRef _tc_float{tenon::gen::basic_type<TCKind::tk_float>};
inline constexpr TypeCodeRef _tc_double{tenon::gen::basic_type<TCKind::tk_double>};
inline constexpr TypeCodeRef _tc_longdouble{tenon::gen::basic_type<TCKind::tk_longdouble>};
inline constexpr TypeCodeRef _tc_boolean{tenon::gen::basic_type<TCKind::tk_boolean>};
inline constexpr TypeCodeRef _tc_char{tenon::gen::basic_type<TCKind::tk_char>};
inline constexpr TypeCodeRef _tc_wchar{tenon::gen::basic_type<TCKind::tk_wchar>};
inline constexpr TypeCodeRef _tc_octet{tenon::gen::basic_type<TCKind::tk_octet>};
inline constexpr TypeCodeRef _tc_any{tenon::gen::basic_type<TCKind::tk_any>};
inline constexpr TypeCodeRef _tc_TypeCode{tenon::gen::basic_type<TCKind::tk_TypeCode>};
inline constexpr TypeCodeRef _tc_string{tenon::gen::basic_type<TCKind::tk_string>};
inline constexpr TypeCodeRef _tc_wstring{tenon::gen::basic_type<TCKind::tk_wstring>};
inline constexpr TypeCodeRef _tc_ValueBase{tenon::gen::value_base_type};
inline constexpr TypeCodeRef _tc_Object{tenon::gen::object_type};

}  // namespace cpp11
}  // namespace CORBA
