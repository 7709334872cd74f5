// SPDX-License-Identifier: Apache-2.0
//
// Value types and value boxes.
#include <algorithm>

#include "idl/model/query.hpp"
#include "idl/sema/analysis.hpp"
#include "idl/sema/forward.hpp"

namespace tenon::idl {

using model::TypeKind;

void Analysis::value_box(const ast::Value& node, const Place& place) {
  auto* decl = model_->add<model::ValueBox>();
  decl->type = type(*node.boxed, place, TypeUse::Box);
  const model::Type* real = model::resolve_aliases(decl->type);
  const bool value = real->kind == TypeKind::ValueBase ||
                     (real->kind == TypeKind::Named && (real->decl->kind == model::DeclKind::ValueType ||
                                                        real->decl->kind == model::DeclKind::ValueBox));
  if (value) diagnostics_.error(node.boxed->span, "a value box cannot hold a value type");
  check_complete(decl->type, node.boxed->span);
  if (!declare(place, node.name, decl, nullptr, "value box")) return;
  introduce(*decl, node.name, place);
  note_depth(*decl, depth(decl->type) + 1, node.name.span);
  decl->annotations = annotations(node.annotations, place);
}

void Analysis::value(const ast::Value& node, const Place& place) {
  if (node.boxed) return value_box(node, place);
  Scope* inner = nullptr;
  auto* decl =
      forward_or_new<model::ValueType>(node, place, "valuetype", !node.forward, inner, ScopeKind::Value);
  if (decl == nullptr) return;
  const bool declared_before = was_declared_before(*decl, node.name);
  if (declared_before && decl->abstract != node.abstract) {
    diagnostics_.error(node.name.span, "'" + node.name.text + "' was declared forward as " +
                                           (decl->abstract ? "an abstract" : "a concrete") + " value type");
  } else if (!decl->defined) {
    decl->abstract = node.abstract;
  }
  if (node.forward) return;
  decl->custom = node.custom;
  decl->annotations = annotations(node.annotations, place);
  value_bases(node, place, *decl, *inner);
  open_.insert(decl);
  ids_.enter_scope(*inner);
  definitions(node.body, Place{inner, decl, &decl->contents});
  ids_.leave_scope();
  open_.erase(decl);
  decl->defined = true;
  const auto append = [](auto& to, const auto& from) { to.insert(to.end(), from.begin(), from.end()); };
  for (const model::ValueType* base : decl->all_bases) {
    append(decl->all_state, base->state);
    append(decl->all_operations, base->operations);
    append(decl->all_attributes, base->attributes);
  }
  std::set<const model::Interface*> supported;
  const auto support = [&](const model::Interface* one) {
    if (!supported.insert(one).second) return;
    append(decl->all_operations, one->operations);
    append(decl->all_attributes, one->attributes);
  };
  const auto support_all = [&](const model::ValueType& of) {
    for (const model::Interface* one : of.supports) {
      for (const model::Interface* up : one->all_bases) support(up);
      support(one);
    }
  };
  for (const model::ValueType* base : decl->all_bases) support_all(*base);
  support_all(*decl);
  append(decl->all_state, decl->state);
  std::uint32_t below = 0;
  for (const model::StateMember* one : decl->all_state) below = std::max(below, depth(one->type));
  note_depth(*decl, below + 1, node.name.span);
  append(decl->all_operations, decl->operations);
  append(decl->all_attributes, decl->attributes);
}

void Analysis::value_bases(const ast::Value& node, const Place& place, model::ValueType& out, Scope& inner) {
  std::vector<Scope*> scopes;
  for (std::size_t i = 0; i < node.bases.size(); ++i) {
    const ast::ScopedName& name = node.bases[i];
    const Entry* entry = scopes_.look_up(*place.scope, name, "a value type");
    if (entry == nullptr) continue;
    const auto* base =
        entry->kind == Entry::Kind::Declaration ? model::as<model::ValueType>(entry->decl) : nullptr;
    if (base == nullptr || !base->defined) {
      diagnostics_.error(name.span(), "'" + name.text() + "' is not a value type that is defined here");
      diagnostics_.note(entry->span, "declared here");
      continue;
    }
    if (std::find(out.bases.begin(), out.bases.end(), base) != out.bases.end()) {
      diagnostics_.error(name.span(), "'" + name.text() + "' is named twice as a base");
      continue;
    }
    // IDL 4.2 §7.4.5.4.1.4: one concrete base at most, and it comes first.
    if (!base->abstract && out.abstract) {
      diagnostics_.error(name.span(), "an abstract value type can inherit abstract value types only");
    } else if (!base->abstract && i != 0) {
      diagnostics_.error(name.span(), "only the first base may be a concrete value type");
    }
    out.bases.push_back(base);
    scopes.push_back(scope_of_[base]);
  }
  if (node.truncatable) {
    out.truncatable = true;
    const bool concrete = !out.bases.empty() && !out.bases.front()->abstract;
    if (node.custom) diagnostics_.error(node.truncatable_span, "a custom value type cannot be truncatable");
    if (!concrete) diagnostics_.error(node.truncatable_span, "'truncatable' needs a concrete base");
  }
  std::size_t concrete_interfaces = 0;
  for (const ast::ScopedName& name : node.supports) {
    const Entry* entry = scopes_.look_up(*place.scope, name, "an interface");
    if (entry == nullptr) continue;
    const auto* one =
        entry->kind == Entry::Kind::Declaration ? model::as<model::Interface>(entry->decl) : nullptr;
    if (one == nullptr || !one->defined) {
      diagnostics_.error(name.span(), "'" + name.text() + "' is not an interface that is defined here");
      diagnostics_.note(entry->span, "declared here");
      continue;
    }
    if (!one->abstract && ++concrete_interfaces == 2) {
      diagnostics_.error(name.span(), "a value type supports one interface at most that is not abstract");
    }
    out.supports.push_back(one);
    scopes.push_back(scope_of_[one]);
  }
  Scopes::inherit(inner, std::move(scopes));
  collect_inherited(out, node.name.span);
}

void Analysis::collect_inherited(model::ValueType& out, const Span& where) {
  collect_ancestors(out, "a value type", where);
  if (out.bases.size() + out.supports.size() < 2) return;  // what one base has was checked there
  std::vector<const model::Decl*> inherited;
  const auto append = [&](const auto& from) { inherited.insert(inherited.end(), from.begin(), from.end()); };
  std::set<const model::Interface*> supported;
  const auto support = [&](const model::Interface* one) {
    if (!supported.insert(one).second) return;
    append(one->operations);
    append(one->attributes);
  };
  const auto support_all = [&](const model::ValueType& of) {
    for (const model::Interface* one : of.supports) {
      for (const model::Interface* up : one->all_bases) support(up);
      support(one);
    }
  };
  for (const model::ValueType* base : out.all_bases) {
    append(base->operations);
    append(base->attributes);
    support_all(*base);
  }
  support_all(out);
  check_inherited_names(inherited, out.name, where);
}

void Analysis::state_member(const ast::StateMember& node, const Place& place) {
  auto* owner = dynamic_cast<model::ValueType*>(place.parent);
  const model::Type* base = type(*node.member.type, place, TypeUse::Member);
  check_complete(base, node.member.type->span);
  if (owner != nullptr && owner->abstract) {
    diagnostics_.error(node.name.span, "an abstract value type has no state");
  }
  for (const ast::Declarator& declarator : node.member.declarators) {
    auto* decl = model_->add<model::StateMember>();
    decl->is_public = node.is_public;
    decl->type = declared_type(base, declarator, place);
    if (!declare(place, declarator.name, decl, nullptr, "state member")) continue;
    introduce(*decl, declarator.name, place);
    decl->annotations = annotations(node.annotations, place, decl->type);
    if (owner != nullptr) owner->state.push_back(decl);
  }
}

void Analysis::initializer(const ast::Initializer& node, const Place& place) {
  auto* owner = dynamic_cast<model::ValueType*>(place.parent);
  auto* decl = model_->add<model::Initializer>();
  Scope* inner = scopes_.add(ScopeKind::Operation, node.name, place.scope, decl);
  if (owner != nullptr && owner->abstract) {
    diagnostics_.error(node.name.span, "an abstract value type has no factories");
  }
  parameters(node.parameters, place, *inner, decl->parameters);
  decl->raises = raises(node.raises, *place.scope);
  if (!declare(place, node.name, decl, nullptr, "factory")) return;
  introduce(*decl, node.name, place);
  decl->annotations = annotations(node.annotations, place);
  if (owner != nullptr) owner->initializers.push_back(decl);
}

}  // namespace tenon::idl
