// SPDX-License-Identifier: Apache-2.0
//
// Sizes on the wire: of primitives, of types whose size does not depend on the value, least sizes of all
// others.
#include <algorithm>
#include <map>

#include "idl/model/query.hpp"

namespace tenon::idl::model {

// CDR, GIOP 1.2 §15.3.1.1. A wchar's size depends on the GIOP version: no fixed size here.
std::uint32_t primitive_size(TypeKind kind) {
  switch (kind) {
    case TypeKind::Boolean:
    case TypeKind::Char:
    case TypeKind::Octet:
    case TypeKind::Int8:
    case TypeKind::UInt8: return 1;
    case TypeKind::Short:
    case TypeKind::UShort: return 2;
    case TypeKind::Long:
    case TypeKind::ULong:
    case TypeKind::Float: return 4;
    case TypeKind::LongLong:
    case TypeKind::ULongLong:
    case TypeKind::Double: return 8;
    case TypeKind::LongDouble: return 16;
    default: return 0;
  }
}

namespace {

constexpr std::uint64_t enough = std::uint64_t{1} << 62;  // sizes saturate here

std::uint64_t saturating_multiply(std::uint64_t a, std::uint64_t b) {
  std::uint64_t out = 0;
  return __builtin_mul_overflow(a, b, &out) || out > enough ? enough : out;
}
std::uint64_t saturating_add(std::uint64_t a, std::uint64_t b) { return a > enough - b ? enough : a + b; }

std::uint64_t element_count(const Type& array) {
  std::uint64_t total = 1;
  for (const std::uint64_t dimension : array.dimensions) total = saturating_multiply(total, dimension);
  return total;
}

FixedLayout primitive_layout(std::uint32_t size, std::uint32_t alignment) {
  FixedLayout out;
  out.alignment = alignment;
  for (std::uint32_t phase = 0; phase < 8; ++phase) {
    out.size_at[phase] = (alignment - phase % alignment) % alignment + size;
  }
  return out;
}

FixedLayout followed_by(const FixedLayout& a, const FixedLayout& b) {
  FixedLayout out;
  out.alignment = std::max(a.alignment, b.alignment);
  for (std::uint32_t phase = 0; phase < 8; ++phase) {
    const std::uint64_t first = a.size_at[phase];
    out.size_at[phase] = saturating_add(first, b.size_at[(phase + first) % 8]);
  }
  return out;
}

// `count` times in a row. The phase of the n-th element is periodic (8 phases), so jump whole periods.
FixedLayout repeated(const FixedLayout& element, std::uint64_t count) {
  FixedLayout out;
  out.alignment = element.alignment;
  for (std::uint32_t start = 0; start < 8; ++start) {
    std::uint64_t total = 0;
    std::uint64_t left = count;
    std::uint64_t seen_total[8];
    std::uint64_t seen_left[8];
    std::fill(std::begin(seen_left), std::end(seen_left), ~std::uint64_t{0});
    while (left > 0) {
      const auto phase = static_cast<std::uint32_t>((start + total) % 8);
      if (seen_left[phase] != ~std::uint64_t{0}) {
        const std::uint64_t period = seen_left[phase] - left;
        const std::uint64_t times = left / period;
        total = saturating_add(total, saturating_multiply(times, total - seen_total[phase]));
        left %= period;
        std::fill(std::begin(seen_left), std::end(seen_left), ~std::uint64_t{0});
        if (left == 0) break;
      } else {
        seen_left[phase] = left;
        seen_total[phase] = total;
      }
      total = saturating_add(total, element.size_at[(start + total) % 8]);
      --left;
    }
    out.size_at[start] = total;
  }
  return out;
}

class LayoutWalk {
 public:
  std::optional<FixedLayout> of(const Type* type) {
    const Type* real = resolve_aliases(type);
    if (const std::uint32_t size = primitive_size(real->kind))
      return primitive_layout(size, std::min(size, 8u));
    switch (real->kind) {
      case TypeKind::Void: return FixedLayout{};
      case TypeKind::Fixed:
        return primitive_layout(real->digits / 2u + 1u, 1);  // packed decimal, GIOP 1.2 §15.3.2.8
      case TypeKind::Array: {
        const auto element = of(real->element);
        if (!element) return std::nullopt;
        return repeated(*element, element_count(*real));
      }
      case TypeKind::Named: return of(real->decl);
      default: return std::nullopt;
    }
  }

  std::optional<FixedLayout> of(const Decl* decl) {
    if (const auto it = known_.find(decl); it != known_.end()) return it->second;
    known_[decl] = std::nullopt;  // recursion goes through sequences only, which have no fixed layout
    std::optional<FixedLayout> out;
    switch (decl->kind) {
      case DeclKind::Enum: out = primitive_layout(4, 4); break;
      case DeclKind::Bitmask: out = carrier(static_cast<const Bitmask*>(decl)->carrier); break;
      case DeclKind::Bitset: out = carrier(static_cast<const Bitset*>(decl)->carrier); break;
      case DeclKind::Struct: {
        const auto* s = static_cast<const Struct*>(decl);
        std::optional<FixedLayout> start = FixedLayout{};
        if (s->base != nullptr) start = of(s->base);
        if (start) out = members(*start, s->members);
        break;
      }
      case DeclKind::Exception:
        out = members(FixedLayout{}, static_cast<const Exception*>(decl)->members);
        break;
      default: break;
    }
    known_[decl] = out;
    return out;
  }

 private:
  static FixedLayout carrier(TypeKind kind) {
    const std::uint32_t size = primitive_size(kind);
    return primitive_layout(size, size);
  }
  std::optional<FixedLayout> members(FixedLayout out, const std::vector<Member>& members) {
    for (const Member& member : members) {
      const auto one = of(member.type);
      if (!one) return std::nullopt;
      out = followed_by(out, *one);
    }
    return out;
  }
  std::map<const Decl*, std::optional<FixedLayout>> known_;
};

}  // namespace

// A declaration that is met again inside itself counts 0: the smallest value does not contain another one.
std::uint64_t MinimumSizes::of(const Type* type) {
  const Type* real = resolve_aliases(type);
  if (real->kind == TypeKind::WChar) return 1;  // GIOP 1.2: an octet count, which may be 0 for garbage
  if (const std::uint32_t size = primitive_size(real->kind)) return size;
  switch (real->kind) {
    case TypeKind::Void: return 0;
    case TypeKind::String:  // a lenient reader takes length 0
    case TypeKind::WString:
    case TypeKind::Sequence:
    case TypeKind::Map:
    case TypeKind::Any:
    case TypeKind::TypeCode:
    case TypeKind::ValueBase: return 4;
    case TypeKind::Object: return 8;
    case TypeKind::Fixed: return real->digits / 2u + 1u;
    case TypeKind::Array: return saturating_multiply(of(real->element), element_count(*real));
    case TypeKind::Named: return of(real->decl);
    default: return 0;
  }
}

std::uint64_t MinimumSizes::of(const std::vector<Member>& members) {
  std::uint64_t sum = 0;
  for (const Member& member : members) sum = saturating_add(sum, of(member.type));
  return sum;
}

std::uint64_t MinimumSizes::of(const Decl* decl) {
  if (const auto it = known_.find(decl); it != known_.end()) return it->second;
  known_[decl] = 0;
  std::uint64_t out = 0;
  switch (decl->kind) {
    case DeclKind::Enum: out = 4; break;
    case DeclKind::Bitmask: out = primitive_size(static_cast<const Bitmask*>(decl)->carrier); break;
    case DeclKind::Bitset: out = primitive_size(static_cast<const Bitset*>(decl)->carrier); break;
    case DeclKind::Interface: out = static_cast<const Interface*>(decl)->abstract ? 5 : 8; break;
    case DeclKind::ValueType:
    case DeclKind::ValueBox: out = 4; break;
    case DeclKind::Struct: {
      const auto* s = static_cast<const Struct*>(decl);
      out = saturating_add(s->base != nullptr ? of(s->base) : 0, of(s->members));
      break;
    }
    case DeclKind::Exception: out = of(static_cast<const Exception*>(decl)->members); break;
    case DeclKind::Union: {
      const auto* u = static_cast<const Union*>(decl);
      std::uint64_t least = u->implicit_default ? 0 : enough;
      for (const UnionCase& one : u->cases) least = std::min(least, of(one.member.type));
      if (u->cases.empty()) least = 0;
      out = saturating_add(u->discriminator != nullptr ? of(u->discriminator) : 0, least);
      break;
    }
    default: break;
  }
  known_[decl] = out;
  return out;
}

std::optional<FixedLayout> fixed_layout(const Type* type) { return LayoutWalk().of(type); }
std::optional<FixedLayout> fixed_layout(const Decl* struct_or_exception) {
  return LayoutWalk().of(struct_or_exception);
}

std::uint64_t minimum_wire_size(const Type* type) { return MinimumSizes().of(type); }

}  // namespace tenon::idl::model
