// SPDX-License-Identifier: Apache-2.0
//
// Structs, exceptions and unions.
#include <algorithm>

#include "idl/model/query.hpp"
#include "idl/sema/analysis.hpp"
#include "idl/sema/forward.hpp"

namespace tenon::idl {

using model::TypeKind;
using model::Value;
using model::ValueKind;

void Analysis::members(const std::vector<ast::Member>& nodes, const Place& inside,
                       std::vector<model::Member>& out) {
  for (const ast::Member& node : nodes) {
    const model::Type* base = type(*node.type, inside, TypeUse::Member);
    if (!check_complete(base, node.type->span)) base = basic(TypeKind::Long);
    for (const ast::Declarator& declarator : node.declarators) {
      model::Member member;
      member.name = declarator.name.text;
      member.location = declarator.name.span.where;
      member.type = declared_type(base, declarator, inside);
      member.comment = comment_above(member.location);
      Entry entry;
      entry.kind = Entry::Kind::Member;
      if (!scopes_.declare(*inside.scope, declarator.name, std::move(entry), "member")) continue;
      member.annotations = annotations(node.annotations, inside, member.type);
      if (const auto* optional = model::find_annotation(member.annotations, "optional")) {
        if (optional->parameters.empty() || optional->parameters.front().value.boolean) {
          diagnostics_.warning(declarator.name.span,
                               "@optional has no effect: GIOP's CDR has no optional members",
                               "the member always travels");
        }
      }
      out.push_back(std::move(member));
    }
  }
}

void Analysis::struct_(const ast::Struct& node, const Place& place) {
  Scope* inner = nullptr;
  auto* decl =
      forward_or_new<model::Struct>(node, place, "struct", !node.forward, inner, ScopeKind::Aggregate);
  if (decl == nullptr || node.forward) return;
  open_.insert(decl);
  if (node.base) {
    const Entry* entry = scopes_.look_up(*place.scope, *node.base, "a struct");
    const model::Struct* base = nullptr;
    if (entry != nullptr && entry->kind == Entry::Kind::Declaration) {
      const model::Type* real = entry->decl != nullptr ? model::resolve_aliases(named(entry->decl)) : nullptr;
      base =
          real != nullptr && real->kind == TypeKind::Named ? model::as<model::Struct>(real->decl) : nullptr;
    }
    if (entry != nullptr && base == nullptr) {
      diagnostics_.error(node.base->span(), "'" + node.base->text() + "' is not a struct");
    } else if (base != nullptr && check_complete(named(base), node.base->span())) {
      decl->base = base;
      for (const model::Struct* up = base; up != nullptr;
           up = up->base) {  // inherited members are taken names
        for (const model::Member& member : up->members) {
          Entry inherited;
          inherited.kind = Entry::Kind::Member;
          const Span where{member.location, static_cast<std::uint32_t>(member.name.size())};
          scopes_.declare(*inner, ast::Name{member.name, where}, std::move(inherited), "member");
        }
      }
    }
  }
  ids_.enter_scope(*inner);
  members(node.members, Place{inner, decl, &decl->contents}, decl->members);
  ids_.leave_scope();
  open_.erase(decl);
  decl->defined = true;
  decl->annotations = annotations(node.annotations, place, nullptr, nullptr, decl);
  const std::uint32_t below = decl->base != nullptr ? depth(named(decl->base)) : 0;
  note_depth(*decl, std::max(below, depth(decl->members)) + 1, node.name.span);
  if (node.members.empty() && !node.damaged && decl->base == nullptr) {
    diagnostics_.error(node.name.span, "struct '" + node.name.text + "' has no members",
                       "GIOP cannot carry it");
  }
}

void Analysis::exception(const ast::Exception& node, const Place& place) {
  auto* decl = model_->add<model::Exception>();
  Scope* inner = scopes_.add(ScopeKind::Aggregate, node.name, place.scope, decl);
  if (!declare(place, node.name, decl, inner, "exception")) return;
  introduce(*decl, node.name, place);
  decl->annotations = annotations(node.annotations, place);
  ids_.enter_scope(*inner);
  members(node.members, Place{inner, decl, &decl->contents}, decl->members);
  ids_.leave_scope();
  note_depth(*decl, depth(decl->members) + 1, node.name.span);
}

namespace {

bool is_discriminator(const model::Type* type) {
  const model::Type* real = model::resolve_aliases(type);
  if (model::is_integer(real->kind)) return true;
  switch (real->kind) {
    case TypeKind::Boolean:
    case TypeKind::Char:
    case TypeKind::WChar:
    case TypeKind::Octet: return true;
    case TypeKind::Named: return real->decl->kind == model::DeclKind::Enum;
    default: return false;
  }
}

// One number per label, so that a set of numbers shows duplicates and gaps.
Int128 ordinal(const Value& value) {
  switch (value.kind) {
    case ValueKind::Integer: return value.integer;
    case ValueKind::Unsigned: return static_cast<Int128>(value.unsigned_integer);
    case ValueKind::Boolean: return value.boolean ? 1 : 0;
    case ValueKind::Char:
    case ValueKind::WChar: return value.character;
    case ValueKind::Enumerator: return value.enumerator->ordinal;
    default: return 0;
  }
}

struct Domain {
  Int128 least = 0;
  Int128 most = 0;
};

Domain domain_of(const model::Type& real) {
  if (real.kind == TypeKind::Boolean) return {0, 1};
  if (real.kind == TypeKind::Char || real.kind == TypeKind::Octet) return {0, 255};
  if (real.kind == TypeKind::WChar) return {0, 0xffff};
  if (real.kind == TypeKind::Named) {
    const auto& e = static_cast<const model::Enum&>(*real.decl);
    return {0, static_cast<Int128>(e.enumerators.size()) - 1};
  }
  const int width = static_cast<int>(model::primitive_size(real.kind)) * 8;
  if (model::is_signed(real.kind)) return {-(Int128{1} << (width - 1)), (Int128{1} << (width - 1)) - 1};
  return {0, (Int128{1} << width) - 1};
}

Value value_of(const model::Type& real, Int128 number) {
  Value out;
  if (real.kind == TypeKind::Boolean) {
    out.kind = ValueKind::Boolean;
    out.boolean = number != 0;
  } else if (real.kind == TypeKind::Char || real.kind == TypeKind::WChar) {
    out.kind = real.kind == TypeKind::Char ? ValueKind::Char : ValueKind::WChar;
    out.character = static_cast<std::uint32_t>(number);
  } else if (real.kind == TypeKind::Named) {
    out.kind = ValueKind::Enumerator;
    out.enumerator =
        static_cast<const model::Enum&>(*real.decl).enumerators[static_cast<std::size_t>(number)];
  } else if (model::is_signed(real.kind)) {
    out.kind = ValueKind::Integer;
    out.integer = static_cast<std::int64_t>(number);
  } else {
    out.kind = ValueKind::Unsigned;
    out.unsigned_integer = static_cast<std::uint64_t>(number);
  }
  return out;
}

}  // namespace

void Analysis::union_(const ast::Union& node, const Place& place) {
  Scope* inner = nullptr;
  auto* decl = forward_or_new<model::Union>(node, place, "union", !node.forward, inner, ScopeKind::Aggregate);
  if (decl == nullptr || node.forward) return;
  decl->annotations = annotations(node.annotations, place);
  open_.insert(decl);
  ids_.enter_scope(*inner);
  const Place inside{inner, decl, &decl->contents};
  decl->discriminator = type(*node.discriminator, inside, TypeUse::Discriminator);
  if (!is_discriminator(decl->discriminator)) {
    diagnostics_.error(
        node.discriminator->span,
        "the discriminator of a union must be an integer, char, wchar, boolean, octet or enum");
    decl->discriminator = basic(TypeKind::Long);  // labels are not checked: they would only repeat the error
  } else {
    decl->cases.reserve(node.cases.size());
    for (const ast::UnionCase& one : node.cases) union_case(one, inside, *decl);
    finish_union(*decl, node.name.span, node.cases.empty() && !node.damaged);
  }
  ids_.leave_scope();
  open_.erase(decl);
  decl->defined = true;
  std::uint32_t below = 0;
  for (const model::UnionCase& one : decl->cases) below = std::max(below, depth(one.member.type));
  note_depth(*decl, below + 1, node.name.span);
}

void Analysis::union_case(const ast::UnionCase& node, const Place& inside, model::Union& out) {
  model::UnionCase into;
  union_labels(node, *inside.scope, out, into);
  const model::Type* base = type(*node.member.type, inside, TypeUse::Member);
  if (!check_complete(base, node.member.type->span)) base = basic(TypeKind::Long);
  const ast::Declarator& declarator = node.member.declarators.front();
  into.member.name = declarator.name.text;
  into.member.location = declarator.name.span.where;
  into.member.type = declared_type(base, declarator, inside);
  into.member.comment = comment_above(into.member.location);
  into.member.annotations = annotations(node.member.annotations, inside, into.member.type);
  Entry entry;
  entry.kind = Entry::Kind::Member;
  if (scopes_.declare(*inside.scope, declarator.name, std::move(entry), "member"))
    out.cases.push_back(std::move(into));
}

void Analysis::union_labels(const ast::UnionCase& node, Scope& scope, model::Union& out,
                            model::UnionCase& into) {
  for (const ast::CaseLabel& label : node.labels) {
    if (!label.value) {
      const bool again =
          into.is_default || std::any_of(out.cases.begin(), out.cases.end(),
                                         [](const model::UnionCase& c) { return c.is_default; });
      if (again) diagnostics_.error(label.span, "a union has one 'default' at most");
      into.is_default = true;
      continue;
    }
    auto value = evaluator_.evaluate(*label.value, out.discriminator, scope);
    if (value) into.labels.push_back(std::move(*value));
  }
}

void Analysis::finish_union(model::Union& out, const Span& where, bool empty) {
  const model::Type& real = *model::resolve_aliases(out.discriminator);
  std::set<Int128> used;
  bool has_default = false;
  for (const model::UnionCase& one : out.cases) {
    for (const Value& label : one.labels) {
      if (used.insert(ordinal(label)).second) continue;
      diagnostics_.error(Span{one.member.location, static_cast<std::uint32_t>(one.member.name.size())},
                         "the label " + to_text(label) + " of '" + one.member.name + "' was used before");
    }
    if (one.is_default) {
      out.default_case = &one;
      has_default = true;
    }
  }
  if (out.cases.empty()) {
    if (empty) diagnostics_.error(where, "union '" + out.name + "' has no cases");
    return;
  }
  // The first free value from 0 upwards, then from -1 downwards.
  const Domain domain = domain_of(real);
  Int128 free = 0;
  while (free <= domain.most && used.contains(free)) ++free;
  if (free > domain.most) {
    free = -1;
    while (free >= domain.least && used.contains(free)) --free;
  }
  if (free >= domain.least && free <= domain.most) {
    out.default_discriminator = value_of(real, free);
    out.implicit_default = !has_default;
  } else if (has_default) {
    diagnostics_.error(where, "the labels of union '" + out.name + "' leave no value for 'default'");
  }
}

}  // namespace tenon::idl
