// SPDX-License-Identifier: Apache-2.0
//
// TypeCodes made at run time out of checked parts (CORBA 3.4 part 1 §8.11.3). Each owns its parts or keeps them alive.
//
// A type that contains itself is made with create_recursive(id) in the place of itself. That TypeCode is incomplete until a
// struct, union, exception or value type of that id is made around it; then it becomes that type. This completes what others may
// point to, so a recursive type belongs to one thread while it is being made. Names and repository ids may be empty where
// TypeCodes may be without them. May throw std::bad_alloc; all else comes back as an Error with the standard's minor code.
#pragma once

#include "types/typecode.hpp"

namespace tenon::types {

/// A member of a type that is to be made: as Member, but it keeps its type alive.
struct NewMember {
  std::string_view name;
  TypeRef type;
  std::uint64_t label = 0;  ///< of a union
  bool otherwise = false;   ///< of a union: the default case, whose label means nothing
  Visibility visibility = Visibility::private_member;
};

Result<TypeRef> create_struct(std::string_view id, std::string_view name, std::span<const NewMember> members);
Result<TypeRef> create_exception(std::string_view id, std::string_view name,
                                 std::span<const NewMember> members);
/// Labels are values of the discriminator, sign-extended. A member with several labels is several members of one name and type.
Result<TypeRef> create_union(std::string_view id, std::string_view name, const TypeRef& discriminator,
                             std::span<const NewMember> members);
Result<TypeRef> create_enum(std::string_view id, std::string_view name,
                            std::span<const std::string_view> enumerators);
Result<TypeRef> create_alias(std::string_view id, std::string_view name, const TypeRef& original);
/// tk_objref, tk_abstract_interface, tk_local_interface, tk_native, tk_component, tk_home.
Result<TypeRef> create_named(Kind kind, std::string_view id, std::string_view name);
/// tk_string or tk_wstring; no bound: 0.
Result<TypeRef> create_text(Kind kind, std::uint32_t bound);
Result<TypeRef> create_fixed(std::uint16_t digits, std::int16_t scale);
Result<TypeRef> create_sequence(std::uint32_t bound, const TypeRef& element);
Result<TypeRef> create_array(std::uint32_t length, const TypeRef& element);
/// `base`: null or tk_null when there is none.
/// `kind`: tk_value or tk_event.
Result<TypeRef> create_value(std::string_view id, std::string_view name, Modifier modifier,
                             const TypeRef& base, std::span<const NewMember> members,
                             Kind kind = Kind::tk_value);
Result<TypeRef> create_box(std::string_view id, std::string_view name, const TypeRef& content);
Result<TypeRef> create_recursive(std::string_view id);

}  // namespace tenon::types
