// SPDX-License-Identifier: Apache-2.0
#include "types/typecode.hpp"

#include <utility>

#include <algorithm>
#include <array>

#include "base/minor_codes.hpp"

namespace tenon::types {

namespace {

constexpr std::array<std::string_view, kinds> kind_names{"tk_null",
                                                         "tk_void",
                                                         "tk_short",
                                                         "tk_long",
                                                         "tk_ushort",
                                                         "tk_ulong",
                                                         "tk_float",
                                                         "tk_double",
                                                         "tk_boolean",
                                                         "tk_char",
                                                         "tk_octet",
                                                         "tk_any",
                                                         "tk_TypeCode",
                                                         "tk_Principal",
                                                         "tk_objref",
                                                         "tk_struct",
                                                         "tk_union",
                                                         "tk_enum",
                                                         "tk_string",
                                                         "tk_sequence",
                                                         "tk_array",
                                                         "tk_alias",
                                                         "tk_except",
                                                         "tk_longlong",
                                                         "tk_ulonglong",
                                                         "tk_longdouble",
                                                         "tk_wchar",
                                                         "tk_wstring",
                                                         "tk_fixed",
                                                         "tk_value",
                                                         "tk_value_box",
                                                         "tk_native",
                                                         "tk_abstract_interface",
                                                         "tk_local_interface",
                                                         "tk_component",
                                                         "tk_home",
                                                         "tk_event"};

constexpr std::array<TypeCode, kinds> make_basics() {
  std::array<TypeCode, kinds> nodes{};
  for (std::uint32_t kind = 0; kind < kinds; ++kind) nodes[kind].kind = static_cast<Kind>(kind);
  return nodes;
}
constexpr std::array<TypeCode, kinds> basics = make_basics();

}  // namespace

std::string_view name(Kind kind) noexcept {
  const auto number = static_cast<std::uint32_t>(kind);
  return number < kinds ? kind_names[number] : std::string_view("tk_unknown");
}

const TypeCode& basic(Kind kind) noexcept { return basics[static_cast<std::uint32_t>(kind)]; }

bool is_discriminator(const TypeCode& type) noexcept {
  switch (unaliased(type).kind) {
    case Kind::tk_short:
    case Kind::tk_long:
    case Kind::tk_ushort:
    case Kind::tk_ulong:
    case Kind::tk_longlong:
    case Kind::tk_ulonglong:
    case Kind::tk_boolean:
    case Kind::tk_char:
    case Kind::tk_wchar:
    case Kind::tk_octet:
    case Kind::tk_enum: return true;
    default: return false;
  }
}

const Member* selected_member(const TypeCode& union_type, std::uint64_t label) noexcept {
  const auto otherwise = static_cast<std::size_t>(union_type.default_index);
  for (std::size_t i = 0; i < union_type.members.size(); ++i) {
    const bool labelled = union_type.default_index < 0 || i != otherwise;
    if (labelled && union_type.members[i].label == label) return &union_type.members[i];
  }
  return union_type.default_index < 0 ? nullptr : &union_type.members[otherwise];
}

TypeGraph::~TypeGraph() {
  const TypeAttachment* each = newest_.relaxed();
  while (each != nullptr) delete std::exchange(each, each->older_);
}

TypeCode* TypeGraph::add_node() {
  constexpr std::size_t together = 8;
  if (nodes_.empty() || nodes_.back().size() == together) nodes_.emplace_back().reserve(together);
  return &nodes_.back().emplace_back();
}

std::span<Member> TypeGraph::add_members(std::size_t count) { return members_.emplace_back(count); }

std::uint8_t* TypeGraph::add_bytes(std::size_t bytes) { return bytes_.emplace_back(bytes).data(); }

void TypeGraph::keep(Ref<const TypeGraph> other) {
  if (other) others_.push_back(std::move(other));
}

TypeCode* TypeGraph::first() noexcept { return nodes_.empty() ? nullptr : nodes_.front().data(); }
const TypeCode* TypeGraph::first() const noexcept { return nodes_.empty() ? nullptr : nodes_.front().data(); }

void TypeGraph::attach(TypeAttachment* added) const noexcept {
  added->older_ = newest_.relaxed();
  while (!newest_.replace_weak(added->older_, added)) {}
}

std::string_view TypeGraph::add_text(std::string_view text) {
  if (text.empty()) return {};
  std::uint8_t* copy = add_bytes(text.size());
  std::copy(text.begin(), text.end(), copy);
  return {reinterpret_cast<const char*>(copy), text.size()};
}

// --- checked access ---

Result<std::string_view> TypeCode::checked_id() const noexcept {
  if (!has_id(kind)) return errors::typecode_bad_kind;
  return id;
}

Result<std::string_view> TypeCode::checked_name() const noexcept {
  if (!has_id(kind)) return errors::typecode_bad_kind;
  return name;
}

Result<std::uint32_t> TypeCode::member_count() const noexcept {
  if (!has_members(kind)) return errors::typecode_bad_kind;
  return static_cast<std::uint32_t>(members.size());
}

Result<std::string_view> TypeCode::member_name(std::uint32_t index) const noexcept {
  if (!has_members(kind)) return errors::typecode_bad_kind;
  if (index >= members.size()) return errors::typecode_bounds;
  return members[index].name;
}

Result<const TypeCode*> TypeCode::member_type(std::uint32_t index) const noexcept {
  if (!has_members(kind) || kind == Kind::tk_enum) return errors::typecode_bad_kind;
  if (index >= members.size()) return errors::typecode_bounds;
  return members[index].type;
}

Result<std::uint64_t> TypeCode::member_label(std::uint32_t index) const noexcept {
  if (kind != Kind::tk_union) return errors::typecode_bad_kind;
  if (index >= members.size()) return errors::typecode_bounds;
  return members[index].label;
}

Result<const TypeCode*> TypeCode::discriminator_type() const noexcept {
  if (kind != Kind::tk_union) return errors::typecode_bad_kind;
  return content;
}

Result<std::int32_t> TypeCode::checked_default_index() const noexcept {
  if (kind != Kind::tk_union) return errors::typecode_bad_kind;
  return default_index;
}

Result<std::uint32_t> TypeCode::checked_length() const noexcept {
  switch (kind) {
    case Kind::tk_string:
    case Kind::tk_wstring:
    case Kind::tk_sequence:
    case Kind::tk_array: return length;
    default: return errors::typecode_bad_kind;
  }
}

Result<const TypeCode*> TypeCode::content_type() const noexcept {
  switch (kind) {
    case Kind::tk_sequence:
    case Kind::tk_array:
    case Kind::tk_alias:
    case Kind::tk_value_box: return content;
    default: return errors::typecode_bad_kind;
  }
}

Result<std::uint16_t> TypeCode::fixed_digits() const noexcept {
  if (kind != Kind::tk_fixed) return errors::typecode_bad_kind;
  return digits;
}

Result<std::int16_t> TypeCode::fixed_scale() const noexcept {
  if (kind != Kind::tk_fixed) return errors::typecode_bad_kind;
  return scale;
}

Result<Visibility> TypeCode::member_visibility(std::uint32_t index) const noexcept {
  if (!has_state(kind)) return errors::typecode_bad_kind;
  if (index >= members.size()) return errors::typecode_bounds;
  return members[index].visibility;
}

Result<Modifier> TypeCode::type_modifier() const noexcept {
  if (!has_state(kind)) return errors::typecode_bad_kind;
  return modifier;
}

Result<const TypeCode*> TypeCode::concrete_base_type() const noexcept {
  if (!has_state(kind)) return errors::typecode_bad_kind;
  return content != nullptr ? content : &basic(Kind::tk_null);
}

}  // namespace tenon::types
