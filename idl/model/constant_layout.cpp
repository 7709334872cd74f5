// SPDX-License-Identifier: Apache-2.0
#include "idl/model/constant_layout.hpp"

#include <algorithm>

#include "idl/model/query.hpp"

namespace tenon::idl::model {
namespace {

constexpr std::uint64_t largest_layout = 64 * 1024;

std::uint64_t rounded_up(std::uint64_t at, std::uint64_t alignment) {
  return (at + alignment - 1) / alignment * alignment;
}

std::optional<ConstantLayout> of_primitive(std::uint32_t size, std::uint64_t count) {
  if (size == 0 || size > 8 || count * size > largest_layout) return std::nullopt;
  return ConstantLayout{size, size, static_cast<std::uint32_t>(size * count), 0, {}, {}};
}

std::optional<ConstantLayout> layout_of(const Type& written) {
  const Type& type = *resolve_aliases(&written);
  if (type.kind == TypeKind::Fixed) return ConstantLayout{1, 1, type.digits / 2u + 1u, 0, {}, {}};
  if (type.kind == TypeKind::Array) {
    if (type.dimensions.size() != 1 || type.dimensions.front() > largest_layout) return std::nullopt;
    return of_primitive(primitive_size(resolve_aliases(type.element)->kind), type.dimensions.front());
  }
  if (type.kind != TypeKind::Named) return of_primitive(primitive_size(type.kind), 1);
  if (type.decl->kind == DeclKind::Enum) return of_primitive(4, 1);
  if (const auto* mask = as<Bitmask>(type.decl)) return of_primitive(primitive_size(mask->carrier), 1);
  if (const auto* set = as<Bitset>(type.decl)) return of_primitive(primitive_size(set->carrier), 1);
  if (const auto* record = as<Struct>(type.decl)) return constant_layout(*record);
  return std::nullopt;
}

}  // namespace

std::vector<Member> members_of(const Struct& decl) {
  std::vector<Member> members;
  if (decl.base != nullptr) members = members_of(*decl.base);
  members.insert(members.end(), decl.members.begin(), decl.members.end());
  return members;
}

std::optional<ConstantLayout> constant_layout(const Struct& decl) {
  ConstantLayout out;
  std::uint64_t at = 0;
  for (const Member& member : members_of(decl)) {
    const auto one = layout_of(*member.type);
    if (!one) return std::nullopt;
    at = rounded_up(at, one->first);
    if (at % one->alignment != 0) return std::nullopt;
    if (out.offsets.empty()) out.first = one->first;
    out.offsets.push_back(static_cast<std::uint32_t>(at));
    out.alignment = std::max(out.alignment, one->alignment);
    at += one->size;
    out.ends.push_back(static_cast<std::uint32_t>(at));
    if (at > largest_layout) return std::nullopt;
  }
  if (out.offsets.empty()) return std::nullopt;
  out.size = static_cast<std::uint32_t>(at);
  const std::uint64_t next = rounded_up(at, out.first);
  if (next % out.alignment == 0) out.stride = static_cast<std::uint32_t>(next);
  return out;
}

const Struct* sequence_of_constant_structs(const Type& written) {
  const Type& type = *resolve_aliases(&written);
  if (type.kind != TypeKind::Sequence) return nullptr;
  const auto* record = as<Struct>(named_decl(type.element));
  return record != nullptr && constant_layout(*record) ? record : nullptr;
}

}  // namespace tenon::idl::model
