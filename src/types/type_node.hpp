// SPDX-License-Identifier: Apache-2.0
//
// TypeCodes as nodes of constant data, and the constexpr functions that make them (typecode.hpp says how they are connected). A header of
// its own, because generated constants need no more.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "base/error.hpp"
#include "types/kind.hpp"

namespace tenon::types {

struct TypeCode;

/// Visibility of a value type's member (part 1 §8.11.1).
enum class Visibility : std::int16_t { private_member = 0, public_member = 1 };
/// What kind of value type (part 1 §8.11.1).
enum class Modifier : std::int16_t { none = 0, custom = 1, abstract = 2, truncatable = 3 };

/// A member of a struct, exception, union, enum or value type. A union case with two labels is two members.
struct Member {
  std::string_view name;
  const TypeCode* type = nullptr;  ///< null: an enumerator
  /// In a union: the discriminator's value, sign-extended; means nothing in the default case.
  std::uint64_t label = 0;
  Visibility visibility = Visibility::private_member;  ///< of a value type
};

struct TypeCode {
  Kind kind = Kind::tk_null;
  std::uint32_t length = 0;  ///< bound of a string or sequence (0: none), elements of an array
  std::uint16_t digits = 0;
  std::int16_t scale = 0;
  std::int32_t default_index = -1;  ///< of a union: the member with `default:`, or -1
  Modifier modifier = Modifier::none;
  std::string_view id = {};
  std::string_view name = {};
  /// Element of a sequence or array, original type of an alias or box, discriminator of a union, base of a value type (or null).
  const TypeCode* content = nullptr;
  std::span<const Member> members = {};

  // Checked access (part 1 §8.11.1): typecode_bad_kind or typecode_bounds where the standard has BadKind or Bounds.
  Result<std::string_view> checked_id() const noexcept;
  Result<std::string_view> checked_name() const noexcept;
  Result<std::uint32_t> member_count() const noexcept;
  Result<std::string_view> member_name(std::uint32_t index) const noexcept;
  Result<const TypeCode*> member_type(std::uint32_t index) const noexcept;
  Result<std::uint64_t> member_label(std::uint32_t index) const noexcept;
  Result<const TypeCode*> discriminator_type() const noexcept;
  Result<std::int32_t> checked_default_index() const noexcept;
  Result<std::uint32_t> checked_length() const noexcept;
  Result<const TypeCode*> content_type() const noexcept;
  Result<std::uint16_t> fixed_digits() const noexcept;
  Result<std::int16_t> fixed_scale() const noexcept;
  Result<Visibility> member_visibility(std::uint32_t index) const noexcept;
  Result<Modifier> type_modifier() const noexcept;
  /// The null TypeCode when there is no base.
  Result<const TypeCode*> concrete_base_type() const noexcept;
};

/// A value type with a base, a modifier and members.
constexpr bool has_state(Kind kind) noexcept { return kind == Kind::tk_value || kind == Kind::tk_event; }

/// Stands for a type that is still being made; `id` says which.
constexpr bool is_incomplete(const TypeCode& type) noexcept { return type.kind == incomplete_kind; }

/// The type below all aliases.
inline const TypeCode& unaliased(const TypeCode& type) noexcept {
  const TypeCode* below = &type;
  while (below->kind == Kind::tk_alias) below = below->content;
  return *below;
}

/// Whether a union may have this discriminator (after aliases).
bool is_discriminator(const TypeCode& type) noexcept;

/// The member that a discriminator's value selects; null if it selects none.
const Member* selected_member(const TypeCode& union_type, std::uint64_t label) noexcept;

/// The node of a kind without parameters, or of an unbounded string or wide string.
const TypeCode& basic(Kind kind) noexcept;

// --- constant data; what the arguments point to must outlive the TypeCode ---

constexpr TypeCode basic_type(Kind kind) noexcept { return {.kind = kind}; }
constexpr TypeCode string_type(std::uint32_t bound = 0) noexcept {
  return {.kind = Kind::tk_string, .length = bound};
}
constexpr TypeCode wstring_type(std::uint32_t bound = 0) noexcept {
  return {.kind = Kind::tk_wstring, .length = bound};
}
constexpr TypeCode fixed_type(std::uint16_t digits, std::int16_t scale) noexcept {
  return {.kind = Kind::tk_fixed, .digits = digits, .scale = scale};
}
constexpr TypeCode sequence_type(const TypeCode& element, std::uint32_t bound = 0) noexcept {
  return {.kind = Kind::tk_sequence, .length = bound, .content = &element};
}
constexpr TypeCode array_type(const TypeCode& element, std::uint32_t length) noexcept {
  return {.kind = Kind::tk_array, .length = length, .content = &element};
}
constexpr TypeCode alias_type(std::string_view id, std::string_view name, const TypeCode& original) noexcept {
  return {.kind = Kind::tk_alias, .id = id, .name = name, .content = &original};
}
constexpr TypeCode struct_type(std::string_view id, std::string_view name,
                               std::span<const Member> members) noexcept {
  return {.kind = Kind::tk_struct, .id = id, .name = name, .members = members};
}
constexpr TypeCode exception_type(std::string_view id, std::string_view name,
                                  std::span<const Member> members) noexcept {
  return {.kind = Kind::tk_except, .id = id, .name = name, .members = members};
}
constexpr TypeCode enum_type(std::string_view id, std::string_view name,
                             std::span<const Member> members) noexcept {
  return {.kind = Kind::tk_enum, .id = id, .name = name, .members = members};
}
constexpr TypeCode union_type(std::string_view id, std::string_view name, const TypeCode& discriminator,
                              std::int32_t default_index, std::span<const Member> members) noexcept {
  return {.kind = Kind::tk_union,
          .default_index = default_index,
          .id = id,
          .name = name,
          .content = &discriminator,
          .members = members};
}
/// tk_objref, tk_abstract_interface, tk_local_interface, tk_native, tk_component, tk_home.
constexpr TypeCode named_type(Kind kind, std::string_view id, std::string_view name) noexcept {
  return {.kind = kind, .id = id, .name = name};
}
constexpr TypeCode box_type(std::string_view id, std::string_view name, const TypeCode& content) noexcept {
  return {.kind = Kind::tk_value_box, .id = id, .name = name, .content = &content};
}
constexpr TypeCode value_type(std::string_view id, std::string_view name, Modifier modifier,
                              const TypeCode* base, std::span<const Member> members) noexcept {
  return {.kind = Kind::tk_value,
          .modifier = modifier,
          .id = id,
          .name = name,
          .content = base,
          .members = members};
}

}  // namespace tenon::types
