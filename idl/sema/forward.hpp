// SPDX-License-Identifier: Apache-2.0
//
// Forward declarations: one declaration node from its first mention to its definition.
//
// Part of the analysis, for its own files only.
#pragma once

#include "idl/model/query.hpp"
#include "idl/sema/analysis.hpp"

namespace tenon::idl {

template <class D>
D* Analysis::forward_or_new(const ast::Definition& node, const Place& place, const char* what, bool defines,
                            Scope*& inner, ScopeKind kind) {
  Entry* known = Scopes::find_own(*place.scope, node.name.text);
  const D* before = nullptr;
  if (known != nullptr && known->kind == Entry::Kind::Declaration && known->name == node.name.text) {
    before = model::as<D>(known->decl);
  }
  const bool redefinition = before != nullptr && defines && (before->defined || open_.contains(before));
  if (before != nullptr && !redefinition) {
    D* decl = mutable_node(before);
    inner = known->inner;
    if (!decl->provided_by_orb) {
      ids_.check_definition(*decl, node.name.span);
    } else if (defines) {
      ids_.assign(*decl);  // a vendor's forward declaration may lack the prefix
    }
    if (defines) {
      decl->location = node.name.span.where;
      decl->parent = place.parent;
      decl->in_main_file = node.name.span.where.file == 0;
      decl->comment = comment_above(node.name.span.where);
      place.contents->push_back(decl);
      known->span = node.name.span;
    }
    return decl;
  }
  D* decl = model_->add<D>();
  inner = scopes_.add(kind, node.name, place.scope, decl);
  if (!declare(place, node.name, decl, inner, what)) return nullptr;
  introduce(*decl, node.name, place, defines);
  if (!defines) {
    forwards_.emplace_back(decl, node.name.span);
    forward_at_.emplace(decl, node.name.span.where);
    auto* mark = model_->add<model::Forward>();
    mark->name = decl->name;
    mark->scoped_name = decl->scoped_name;
    mark->repository_id = decl->repository_id;
    mark->location = decl->location;
    mark->parent = place.parent;
    mark->in_main_file = decl->in_main_file;
    mark->provided_by_orb = decl->provided_by_orb;
    mark->target = decl;
    place.contents->push_back(mark);
  }
  return decl;
}

}  // namespace tenon::idl
