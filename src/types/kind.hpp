// SPDX-License-Identifier: Apache-2.0
//
// TCKind: the kinds of TypeCodes (CORBA 3.4 part 1 §8.11.1) with the numbers that travel (part 2 §9.3.5.1).
#pragma once

#include <cstdint>
#include <string_view>

namespace tenon::types {

enum class Kind : std::uint32_t {
  tk_null = 0,
  tk_void,
  tk_short,
  tk_long,
  tk_ushort,
  tk_ulong,
  tk_float,
  tk_double,
  tk_boolean,
  tk_char,
  tk_octet,
  tk_any,
  tk_TypeCode,
  tk_Principal,
  tk_objref,
  tk_struct,
  tk_union,
  tk_enum,
  tk_string,
  tk_sequence,
  tk_array,
  tk_alias,
  tk_except,
  tk_longlong,
  tk_ulonglong,
  tk_longdouble,
  tk_wchar,
  tk_wstring,
  tk_fixed,
  tk_value,
  tk_value_box,
  tk_native,
  tk_abstract_interface,
  tk_local_interface,
  tk_component,
  tk_home,
  tk_event,
};

inline constexpr std::uint32_t kinds = 37;
/// What stands in place of a TCKind where an offset to an earlier TypeCode follows (part 2 §9.3.5.1.3).
inline constexpr std::uint32_t indirection = 0xFFFFFFFF;

/// Not of the standard: the kind of a TypeCode that stands for a type which is still being made (create.hpp).
inline constexpr Kind incomplete_kind = static_cast<Kind>(indirection);

/// "tk_struct"
std::string_view name(Kind kind) noexcept;

/// Nothing but the kind says what the type is.
constexpr bool has_no_parameters(Kind kind) noexcept {
  return kind <= Kind::tk_Principal || (kind >= Kind::tk_longlong && kind <= Kind::tk_wchar);
}

/// Parameters follow the kind directly, without an encapsulation.
constexpr bool has_simple_parameters(Kind kind) noexcept {
  return kind == Kind::tk_string || kind == Kind::tk_wstring || kind == Kind::tk_fixed;
}

/// id() and name() are valid.
constexpr bool has_id(Kind kind) noexcept {
  switch (kind) {
    case Kind::tk_objref:
    case Kind::tk_struct:
    case Kind::tk_union:
    case Kind::tk_enum:
    case Kind::tk_alias:
    case Kind::tk_except:
    case Kind::tk_value:
    case Kind::tk_value_box:
    case Kind::tk_native:
    case Kind::tk_abstract_interface:
    case Kind::tk_local_interface:
    case Kind::tk_component:
    case Kind::tk_home:
    case Kind::tk_event: return true;
    default: return false;
  }
}

/// What travels is a value (part 2 §9.3.4).
constexpr bool is_value(Kind kind) noexcept {
  return kind == Kind::tk_value || kind == Kind::tk_value_box || kind == Kind::tk_event;
}

/// Members have names.
constexpr bool has_members(Kind kind) noexcept {
  return kind == Kind::tk_struct || kind == Kind::tk_union || kind == Kind::tk_enum ||
         kind == Kind::tk_except || kind == Kind::tk_value || kind == Kind::tk_event;
}

}  // namespace tenon::types
