// SPDX-License-Identifier: Apache-2.0
#include "types/create.hpp"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "base/fixed.hpp"
#include "base/minor_codes.hpp"
#include "types/compare.hpp"
#include "types/complete.hpp"
#include "types/endless.hpp"

namespace tenon::types {
namespace {

bool is_letter(char c) noexcept {
  const auto octet = static_cast<unsigned char>(c);
  // IDL's letters are those of ISO 8859-1
  const bool accented = octet >= 0xC0 && octet != 0xD7 && octet != 0xF7;
  return (octet >= 'a' && octet <= 'z') || (octet >= 'A' && octet <= 'Z') || accented;
}

bool is_name(std::string_view text) noexcept {
  if (text.empty()) return true;
  if (!is_letter(text.front())) return false;
  return std::all_of(text.begin(), text.end(),
                     [](char c) { return is_letter(c) || (c >= '0' && c <= '9') || c == '_'; });
}

/// "format:string" (CORBA 3.4 part 1 §14.7).
bool is_repository_id(std::string_view text) noexcept {
  const std::size_t colon = text.find(':');
  return colon != 0 && colon != text.npos && text.find('\0') == text.npos;
}

bool wants_id(Kind kind) noexcept {
  switch (kind) {
    case Kind::tk_struct:
    case Kind::tk_union:
    case Kind::tk_enum:
    case Kind::tk_alias: return false;
    default: return true;
  }
}

Status check_names(Kind kind, std::string_view id, std::string_view name) noexcept {
  if (id.empty() ? wants_id(kind) : !is_repository_id(id)) return errors::bad_typecode_repository_id;
  if (!is_name(name)) return errors::bad_typecode_name;
  return {};
}

/// Whether values of the type can be parts of others.
bool is_part(const TypeRef& type) noexcept {
  if (!type) return false;
  switch (unaliased(*type).kind) {
    case Kind::tk_null:
    case Kind::tk_void:
    case Kind::tk_except: return false;
    default: return true;
  }
}

/// A union member with several labels is given as several members of one name and type, side by side or not.
Status check_members(Kind kind, std::span<const NewMember> members) {
  std::unordered_map<std::string_view, const TypeCode*> seen;
  for (const NewMember& member : members) {
    if (!is_name(member.name)) return errors::bad_member_name;
    if (!is_part(member.type)) return errors::bad_member_typecode;
    if (member.name.empty()) continue;
    const auto [other, fresh] = seen.try_emplace(member.name, member.type.get());
    if (fresh) continue;
    // Several labels of a union's member: each comes with the member's type, made once or several times.
    const bool same = other->second == member.type.get() || equal(*other->second, *member.type);
    if (kind != Kind::tk_union || !same) return errors::bad_member_name;
  }
  return {};
}

struct Made {
  Ref<TypeGraph> graph = make_ref<TypeGraph>();
  TypeCode* type = graph->add_node();

  Made(Kind kind, std::string_view id, std::string_view name) {
    type->kind = kind;
    type->id = graph->add_text(id);
    type->name = graph->add_text(name);
  }
  void content(const TypeRef& part) {
    type->content = part.get();
    graph->keep(part.graph());
  }
  void members(std::span<const NewMember> members) {
    const std::span<Member> own = graph->add_members(members.size());
    for (std::size_t i = 0; i < own.size(); ++i) {
      own[i] = {graph->add_text(members[i].name), members[i].type.get(), members[i].label,
                members[i].visibility};
      graph->keep(members[i].type.graph());
    }
    type->members = own;
  }
  TypeRef ref() const { return {*type, graph}; }
};

/// The finished type; incomplete parts that stand for it become the type.
Result<TypeRef> completed(const Made& made) {
  const TypeRef type = complete(made.ref());
  if (contains_itself_endlessly(*type)) return errors::bad_member_typecode;
  return type;
}

Result<TypeRef> create_record(Kind kind, std::string_view id, std::string_view name,
                              std::span<const NewMember> members) {
  if (const Status status = check_names(kind, id, name); !status) return status.error();
  if (const Status status = check_members(kind, members); !status) return status.error();
  Made made(kind, id, name);
  made.members(members);
  return completed(made);
}

bool is_label(const TypeCode& discriminator, std::uint64_t label) noexcept {
  const auto number = static_cast<std::int64_t>(label);
  switch (discriminator.kind) {
    case Kind::tk_short: return number >= INT16_MIN && number <= INT16_MAX;
    case Kind::tk_long: return number >= INT32_MIN && number <= INT32_MAX;
    case Kind::tk_ushort: return label <= UINT16_MAX;
    case Kind::tk_ulong: return label <= UINT32_MAX;
    case Kind::tk_boolean: return label <= 1;
    case Kind::tk_char:
    case Kind::tk_octet: return label <= UINT8_MAX;
    case Kind::tk_wchar: return label <= 0x10FFFF;
    case Kind::tk_enum: return label < discriminator.members.size();
    default: return true;
  }
}

/// The default case's index, or -1.
Result<std::int32_t> check_labels(const TypeCode& discriminator, std::span<const NewMember> members) {
  std::unordered_set<std::uint64_t> labels;
  std::int32_t otherwise = -1;
  for (std::size_t i = 0; i < members.size(); ++i) {
    if (members[i].otherwise) {
      if (otherwise != -1) return errors::duplicate_label;
      otherwise = static_cast<std::int32_t>(i);
      continue;
    }
    if (!is_label(discriminator, members[i].label)) return errors::incompatible_label;
    if (!labels.insert(members[i].label).second) return errors::duplicate_label;
  }
  return otherwise;
}

}  // namespace

Result<TypeRef> create_struct(std::string_view id, std::string_view name,
                              std::span<const NewMember> members) {
  return create_record(Kind::tk_struct, id, name, members);
}

Result<TypeRef> create_exception(std::string_view id, std::string_view name,
                                 std::span<const NewMember> members) {
  return create_record(Kind::tk_except, id, name, members);
}

Result<TypeRef> create_union(std::string_view id, std::string_view name, const TypeRef& discriminator,
                             std::span<const NewMember> members) {
  constexpr Kind kind = Kind::tk_union;
  if (const Status status = check_names(kind, id, name); !status) return status.error();
  if (discriminator && is_incomplete(unaliased(*discriminator))) return errors::incomplete_typecode_parameter;
  if (!discriminator || !is_discriminator(*discriminator)) return errors::bad_discriminator_type;
  if (const Status status = check_members(kind, members); !status) return status.error();
  const Result<std::int32_t> otherwise = check_labels(unaliased(*discriminator), members);
  if (!otherwise) return otherwise.error();
  Made made(kind, id, name);
  made.content(discriminator);
  made.members(members);
  made.type->default_index = *otherwise;
  return completed(made);
}

Result<TypeRef> create_enum(std::string_view id, std::string_view name,
                            std::span<const std::string_view> enumerators) {
  if (const Status status = check_names(Kind::tk_enum, id, name); !status) return status.error();
  std::unordered_set<std::string_view> seen;
  for (const std::string_view enumerator : enumerators) {
    const bool fresh = enumerator.empty() || seen.insert(enumerator).second;
    if (!fresh || !is_name(enumerator)) return errors::bad_member_name;
  }
  Made made(Kind::tk_enum, id, name);
  const std::span<Member> members = made.graph->add_members(enumerators.size());
  for (std::size_t i = 0; i < members.size(); ++i) members[i].name = made.graph->add_text(enumerators[i]);
  made.type->members = members;
  return made.ref();
}

Result<TypeRef> create_alias(std::string_view id, std::string_view name, const TypeRef& original) {
  if (const Status status = check_names(Kind::tk_alias, id, name); !status) return status.error();
  if (!is_part(original)) return errors::bad_member_typecode;
  Made made(Kind::tk_alias, id, name);
  made.content(original);
  return made.ref();
}

Result<TypeRef> create_named(Kind kind, std::string_view id, std::string_view name) {
  if (const Status status = check_names(kind, id, name); !status) return status.error();
  return Made(kind, id, name).ref();
}

Result<TypeRef> create_text(Kind kind, std::uint32_t bound) {
  if (bound == 0) return TypeRef(basic(kind));
  const Made made(kind, {}, {});
  made.type->length = bound;
  return made.ref();
}

Result<TypeRef> create_fixed(std::uint16_t digits, std::int16_t scale) {
  if (digits < 1 || digits > Fixed::max_digits || scale < 0 || scale > static_cast<std::int16_t>(digits)) {
    return errors::bad_typecode_argument;
  }
  const Made made(Kind::tk_fixed, {}, {});
  made.type->digits = digits;
  made.type->scale = scale;
  return made.ref();
}

Result<TypeRef> create_sequence(std::uint32_t bound, const TypeRef& element) {
  if (!is_part(element)) return errors::bad_member_typecode;
  Made made(Kind::tk_sequence, {}, {});
  made.content(element);
  made.type->length = bound;
  return made.ref();
}

Result<TypeRef> create_array(std::uint32_t length, const TypeRef& element) {
  if (!is_part(element)) return errors::bad_member_typecode;
  if (length == 0) return errors::bad_typecode_argument;
  Made made(Kind::tk_array, {}, {});
  made.content(element);
  made.type->length = length;
  return made.ref();
}

Result<TypeRef> create_value(std::string_view id, std::string_view name, Modifier modifier,
                             const TypeRef& base, std::span<const NewMember> members, Kind kind) {
  if (const Status status = check_names(kind, id, name); !status) return status.error();
  if (modifier < Modifier::none || modifier > Modifier::truncatable) return errors::bad_typecode_argument;
  const bool derived = base && base->kind != Kind::tk_null;
  if (derived && is_incomplete(*base)) return errors::incomplete_typecode_parameter;
  if (derived && base->kind != Kind::tk_value && base->kind != Kind::tk_event)
    return errors::bad_member_typecode;
  for (const NewMember& member : members) {
    const bool known =
        member.visibility == Visibility::private_member || member.visibility == Visibility::public_member;
    if (!known) return errors::bad_typecode_argument;
  }
  if (const Status status = check_members(kind, members); !status) return status.error();
  Made made(kind, id, name);
  made.type->modifier = modifier;
  if (derived) made.content(base);
  made.members(members);
  return completed(made);
}

Result<TypeRef> create_box(std::string_view id, std::string_view name, const TypeRef& content) {
  if (const Status status = check_names(Kind::tk_value_box, id, name); !status) return status.error();
  if (!is_part(content)) return errors::bad_member_typecode;
  Made made(Kind::tk_value_box, id, name);
  made.content(content);
  return completed(made);
}

Result<TypeRef> create_recursive(std::string_view id) {
  if (!is_repository_id(id)) return errors::bad_typecode_repository_id;
  return Made(incomplete_kind, id, {}).ref();
}

}  // namespace tenon::types
