// SPDX-License-Identifier: Apache-2.0
#include "idl/backends/cpp/blocks.hpp"

#include <algorithm>

#include "idl/backends/cpp/tables.hpp"
#include "idl/backends/cpp/types.hpp"

namespace tenon::idl::cpp {

using model::Type;
using model::TypeKind;

namespace {

// Nothing larger fits into a message; sums of a few such sizes do not overflow.
constexpr std::uint64_t largest_part = std::uint64_t{1} << 32;

std::uint64_t align_up(std::uint64_t offset, std::uint64_t alignment) {
  return (offset + alignment - 1) / alignment * alignment;
}

}  // namespace

const Type& leaf(const Type& type) { return *elements_of(*model::resolve_aliases(&type)).type; }

Elements elements_of(const Type& type) {
  Elements found{&type, 1};
  while (found.type->kind == TypeKind::Array) {
    for (const std::uint64_t size : found.type->dimensions) found.count *= size;
    found.type = model::resolve_aliases(found.type->element);
  }
  return found;
}

std::string mask_letters(std::span<const std::uint8_t> masks) {
  std::string letters;
  for (const std::uint8_t mask : masks)
    letters += std::ranges::find(cdr::mask_letters, mask, &cdr::MaskLetter::mask)->letter;
  return letters;
}

const BlockLayout* Blocks::nested(const Type& type) {
  const auto* decl = model::as<model::Struct>(leaf(type).decl);
  return decl != nullptr ? of(*decl) : nullptr;
}

Blocks::Part Blocks::part(const Type& alias) {
  const Type& type = *model::resolve_aliases(&alias);
  if (type.kind == TypeKind::Array) {
    Part element = part(*type.element);
    std::uint64_t count = 1;
    for (const std::uint64_t size : type.dimensions) count *= size;
    if (element.size == 0 || count == 0 || count > largest_part / element.size) return {};
    element.end += (count - 1) * element.size;
    element.size *= count;
    return element;
  }
  if (type.kind == TypeKind::Named) {
    if (const auto* nested = model::as<model::Struct>(type.decl)) {
      const BlockLayout* block = of(*nested);
      return block != nullptr ? Part{block->size, block->end, block->align, block->first_align} : Part{};
    }
    if (const auto* mask = model::as<model::Bitmask>(type.decl)) {
      const std::uint64_t size = model::primitive_size(mask->carrier);
      return {size, size, size, size};
    }
    if (const auto* decl = model::as<model::Enum>(type.decl); decl != nullptr && !has_values(*decl)) {
      return {4, 4, 4, 4};
    }
    return {};
  }
  if (!is_plain(type)) return {};
  const std::uint64_t size = model::primitive_size(type.kind);
  return {size, size, size, size};
}

BlockLayout Blocks::run(std::span<const model::Member> members) {
  BlockLayout block;
  for (const model::Member& member : members) {
    const Part next = part(*member.type);
    const bool first = block.padding.empty();
    if (first) block.align = block.first_align = next.align;
    const std::uint64_t start = align_up(block.size, next.align);
    if (next.size == 0 || next.align > block.align || (first && next.first_align != next.align) ||
        align_up(block.end, next.first_align) != start || start + next.size > largest_part)
      break;
    block.padding.push_back(start - block.size);
    block.end = start + next.end;
    block.size = start + next.size;
  }
  return block;
}

bool Blocks::add_part(marshal::BlockParts& into, const Type& alias, std::size_t most_words,
                      std::uint64_t offset) {
  const auto [element, count] = elements_of(*model::resolve_aliases(&alias));
  if (const model::Enum* decl = plain_enum(*element)) {
    into.add(marshal::Op::enumeration, offset, count, static_cast<marshal::Word>(decl->enumerators.size()));
    return true;
  }
  if (const auto op = simple_op(*element)) {
    into.add(*op, offset, count);
    return true;
  }
  const auto& nested = *model::as<model::Struct>(element->decl);
  const BlockLayout& layout = *of(nested);
  for (std::uint64_t i = 0; i < count; ++i, offset += layout.size) {
    if (!add_parts(into, nested.members, layout, most_words, offset)) return false;
  }
  return true;
}

bool Blocks::add_parts(marshal::BlockParts& into, std::span<const model::Member> members,
                       const BlockLayout& layout, std::size_t most_words, std::uint64_t offset) {
  for (std::size_t i = 0; i < members.size(); ++i) {
    offset += layout.padding[i];
    if (into.words() > most_words || !add_part(into, *members[i].type, most_words, offset)) return false;
    offset += part_size(*members[i].type);
  }
  return true;
}

const BlockLayout* Blocks::of(const model::Struct& decl) {
  auto known = known_.find(&decl);
  if (known == known_.end()) known = known_.emplace(&decl, layout(decl)).first;
  return known->second ? &*known->second : nullptr;
}

std::optional<BlockLayout> Blocks::layout(const model::Struct& decl) {
  if (decl.base != nullptr || decl.members.empty()) return std::nullopt;
  BlockLayout block;
  std::uint64_t wire = 0;
  std::uint64_t memory = 0;
  for (const model::Member& member : decl.members) {
    const Part next = part(*member.type);
    if (next.size == 0) return std::nullopt;
    const std::uint64_t start = align_up(memory, next.align);
    if (align_up(wire, next.first_align) != start) return std::nullopt;
    if (block.padding.empty()) block.first_align = next.first_align;
    block.padding.push_back(start - memory);
    block.align = std::max(block.align, next.align);
    wire = start + next.end;
    memory = start + next.size;
    if (memory > largest_part) return std::nullopt;
    const BlockLayout* inner = nested(*member.type);
    const Type& type = leaf(*member.type);
    block.has_chars |= inner != nullptr ? inner->has_chars : type.kind == TypeKind::Char;
    block.needs_check |= inner != nullptr
                             ? inner->needs_check
                             : type.kind == TypeKind::Boolean || model::as<model::Enum>(type.decl) != nullptr;
  }
  block.size = align_up(memory, block.align);
  block.end = wire;
  block.padding.push_back(block.size - memory);
  // the next element begins where its first primitive may
  if (align_up(block.end, block.first_align) != block.size) return std::nullopt;
  block.needs_check |= std::ranges::any_of(block.padding, [](std::uint64_t bytes) { return bytes != 0; });
  return block;
}

}  // namespace tenon::idl::cpp
