// SPDX-License-Identifier: Apache-2.0
//
// Interfaces, operations and attributes.
#include <algorithm>

#include "idl/lex/literal.hpp"
#include "idl/model/query.hpp"
#include "idl/sema/analysis.hpp"
#include "idl/sema/forward.hpp"
#include "idl/support/spelling.hpp"

namespace tenon::idl {

using model::TypeKind;

void Analysis::interface(const ast::Interface& node, const Place& place) {
  Scope* inner = nullptr;
  auto* decl =
      forward_or_new<model::Interface>(node, place, "interface", !node.forward, inner, ScopeKind::Interface);
  if (decl == nullptr) return;
  const bool first = !decl->defined && decl->contents.empty() && node.name.span.where == decl->location;
  const bool declared_before = was_declared_before(*decl, node.name);
  // How vendors declare what the ORB provides differs (`interface Policy` or `local interface Policy`): the definition counts.
  const bool differs = decl->local != node.local || decl->abstract != node.abstract;
  if (declared_before && differs && !decl->provided_by_orb) {
    diagnostics_.error(node.name.span, "'" + node.name.text + "' was declared forward as " +
                                           (decl->local      ? "a local"
                                            : decl->abstract ? "an abstract"
                                                             : "an ordinary") +
                                           " interface");
  } else if (first || (decl->provided_by_orb && !node.forward)) {
    decl->local = node.local;
    decl->abstract = node.abstract;
  }
  if (node.forward) return;
  decl->annotations = annotations(node.annotations, place);
  interface_bases(node, place, *decl, *inner);
  open_.insert(decl);
  ids_.enter_scope(*inner);
  definitions(node.body, Place{inner, decl, &decl->contents});
  ids_.leave_scope();
  open_.erase(decl);
  decl->defined = true;
  for (const model::Interface* base : decl->all_bases) {
    decl->all_operations.insert(decl->all_operations.end(), base->operations.begin(), base->operations.end());
    decl->all_attributes.insert(decl->all_attributes.end(), base->attributes.begin(), base->attributes.end());
  }
  decl->all_operations.insert(decl->all_operations.end(), decl->operations.begin(), decl->operations.end());
  decl->all_attributes.insert(decl->all_attributes.end(), decl->attributes.begin(), decl->attributes.end());
}

void Analysis::interface_bases(const ast::Interface& node, const Place& place, model::Interface& out,
                               Scope& inner) {
  std::set<const model::Interface*> known;
  std::vector<Scope*> scopes;
  for (const ast::ScopedName& name : node.bases) {
    const Entry* entry = scopes_.look_up(*place.scope, name, "an interface");
    if (entry == nullptr) continue;
    const model::Interface* base = nullptr;
    if (entry->kind == Entry::Kind::Declaration && entry->decl != nullptr) {
      const model::Type* real = model::resolve_aliases(named(entry->decl));
      base = real->kind == TypeKind::Named ? model::as<model::Interface>(real->decl) : nullptr;
    }
    if (base == nullptr) {
      diagnostics_.error(name.span(), "'" + name.text() + "' is not an interface");
      diagnostics_.note(entry->span, "declared here");
      continue;
    }
    if (!base->defined) {
      diagnostics_.error(name.span(),
                         base == &out ? "an interface cannot inherit itself"
                                      : "'" + name.text() + "' is only declared, not defined here",
                         base == &out ? "" : "a base must be defined before");
      continue;
    }
    if (!known.insert(base).second) {
      diagnostics_.error(name.span(), "'" + name.text() + "' is named twice as a base");
      continue;
    }
    if (base->local && !out.local) {
      diagnostics_.error(name.span(),
                         "an interface that is not local cannot inherit the local '" + name.text() + "'",
                         "say 'local interface'");
    }
    if (out.abstract && !base->abstract) {
      diagnostics_.error(name.span(), "an abstract interface can inherit abstract interfaces only");
    }
    out.bases.push_back(base);
    scopes.push_back(scope_of_[base]);
  }
  Scopes::inherit(inner, std::move(scopes));
  collect_inherited(out, node.name.span);
}

void Analysis::collect_inherited(model::Interface& out, const Span& where) {
  collect_ancestors(out, "an interface", where);
  if (out.bases.size() < 2) return;  // what one base has was checked there
  std::vector<const model::Decl*> inherited;
  for (const model::Interface* base : out.all_bases) {
    inherited.insert(inherited.end(), base->operations.begin(), base->operations.end());
    inherited.insert(inherited.end(), base->attributes.begin(), base->attributes.end());
  }
  check_inherited_names(inherited, out.name, where);
}

// Two inherited operations or attributes may not share a name: IDL 4.2 §7.4.3.4.3.2.2.
void Analysis::check_inherited_names(const std::vector<const model::Decl*>& inherited,
                                     const std::string& name, const Span& where) {
  std::unordered_map<std::size_t, const model::Decl*> by_name;
  by_name.reserve(inherited.size());
  for (const model::Decl* decl : inherited) {
    const auto [it, fresh] = by_name.emplace(name_number(*decl), decl);
    if (fresh || it->second == decl) continue;
    diagnostics_.error(where, "'" + name + "' inherits '" + decl->name + "' from more than one base");
    for (const model::Decl* one : {it->second, decl}) {
      diagnostics_.note(Span{one->location, static_cast<std::uint32_t>(one->name.size())},
                        "declared in '" + one->parent->scoped_name + "' here");
    }
  }
}

// The same number for names that differ in case only.
std::size_t Analysis::name_number(const model::Decl& decl) {
  const auto [known, fresh] = name_number_of_.try_emplace(&decl, 0);
  if (fresh) known->second = name_numbers_.try_emplace(lower(decl.name), name_numbers_.size()).first->second;
  return known->second;
}

// Types that are sent may not be local: IDL 4.2 §7.4.6.4 (local interfaces). A native type is legal here;
// sending one raises MARSHAL (§7.4.6.4.2).
void Analysis::check_remote(const model::Type* type, const Place& place, const Span& where) {
  const auto* owner = model::as<model::Interface>(place.parent);
  if (owner == nullptr || owner->local) return;
  const auto [known, fresh] = local_in_.emplace(type, nullptr);
  const model::Decl*& local = known->second;
  if (fresh) {
    model::contains(type, [&local](const model::Type& one) {
      const auto* interface = one.kind == TypeKind::Named ? model::as<model::Interface>(one.decl) : nullptr;
      if (interface != nullptr && interface->local) local = interface;
      return local != nullptr;
    });
  }
  if (local == nullptr) return;
  diagnostics_.error(where, "'" + local->name + "' is local and cannot travel",
                     "only a local interface may use it");
}

std::vector<const model::Exception*> Analysis::raises(const std::vector<ast::ScopedName>& names,
                                                      Scope& scope) {
  std::vector<const model::Exception*> out;
  for (const ast::ScopedName& name : names) {
    const Entry* entry = scopes_.look_up(scope, name, "an exception");
    if (entry == nullptr) continue;
    const auto* exception =
        entry->kind == Entry::Kind::Declaration ? model::as<model::Exception>(entry->decl) : nullptr;
    if (exception == nullptr) {
      diagnostics_.error(name.span(), "'" + name.text() + "' is not an exception");
      diagnostics_.note(entry->span, "declared here");
    } else if (std::find(out.begin(), out.end(), exception) != out.end()) {
      diagnostics_.warning(name.span(), "'" + name.text() + "' is named twice");
    } else {
      out.push_back(exception);
    }
  }
  return out;
}

void Analysis::parameters(const std::vector<ast::Parameter>& nodes, const Place& place, Scope& inner,
                          std::vector<model::Parameter>& out) {
  const Place inside{&inner, place.parent, place.contents};
  for (const ast::Parameter& node : nodes) {
    model::Parameter parameter;
    parameter.direction = node.direction == Keyword::In    ? model::Direction::In
                          : node.direction == Keyword::Out ? model::Direction::Out
                                                           : model::Direction::InOut;
    parameter.name = node.name.text;
    parameter.location = node.name.span.where;
    parameter.type = type(*node.type, inside, TypeUse::Parameter);
    check_remote(parameter.type, place, node.type->span);
    parameter.annotations = annotations(node.annotations, inside, parameter.type, &parameter);
    Entry entry;
    entry.kind = Entry::Kind::Member;
    if (scopes_.declare(inner, node.name, std::move(entry), "parameter")) out.push_back(std::move(parameter));
  }
}

void Analysis::operation(const ast::Operation& node, const Place& place) {
  auto* decl = model_->add<model::Operation>();
  Scope* inner = scopes_.add(ScopeKind::Operation, node.name, place.scope, decl);
  decl->oneway = node.oneway;
  decl->result = type(*node.result, place, TypeUse::Result);
  check_remote(decl->result, place, node.result->span);
  const bool fresh = declare(place, node.name, decl, nullptr, "operation");
  if (fresh) introduce(*decl, node.name, place);
  parameters(node.parameters, place, *inner, decl->parameters);
  decl->raises = raises(node.raises, *place.scope);
  for (const Token& context : node.contexts) {
    const std::string text = decode_string(context, diagnostics_);
    const std::size_t star = text.find('*');
    const bool letter =
        !text.empty() && ((text[0] >= 'a' && text[0] <= 'z') || (text[0] >= 'A' && text[0] <= 'Z'));
    if (!letter || (star != std::string::npos && star + 1 != text.size())) {
      diagnostics_.error(context.span, "a context name begins with a letter and may end with '*'");
    }
    decl->contexts.push_back(text);
  }
  decl->annotations = annotations(node.annotations, place, nullptr, nullptr, decl);
  if (const auto* note = model::find_annotation(decl->annotations, "oneway")) {
    decl->oneway = decl->oneway || note->parameters.empty() || note->parameters.front().value.boolean;
  }
  if (decl->oneway) {
    const bool answers =
        std::any_of(decl->parameters.begin(), decl->parameters.end(),
                    [](const auto& parameter) { return parameter.direction != model::Direction::In; });
    if (decl->result->kind != TypeKind::Void || answers) {
      diagnostics_.error(node.name.span, "a oneway operation returns nothing",
                         "no result, no 'out', no 'inout'");
    }
    if (!decl->raises.empty())
      diagnostics_.error(node.name.span, "a oneway operation cannot raise exceptions");
  }
  if (!fresh) return;
  if (auto* owner = dynamic_cast<model::Interface*>(place.parent)) owner->operations.push_back(decl);
  if (auto* owner = dynamic_cast<model::ValueType*>(place.parent)) owner->operations.push_back(decl);
}

void Analysis::attribute(const ast::Attribute& node, const Place& place) {
  const model::Type* of = type(*node.type, place, TypeUse::Attribute);
  check_remote(of, place, node.type->span);
  const auto get_raises = raises(node.get_raises, *place.scope);
  const auto set_raises = raises(node.set_raises, *place.scope);
  for (const ast::Name& name : node.names) {
    auto* decl = model_->add<model::Attribute>();
    decl->readonly = node.readonly;
    decl->type = of;
    decl->get_raises = get_raises;
    decl->set_raises = set_raises;
    if (!declare(place, name, decl, nullptr, "attribute")) continue;
    introduce(*decl, name, place);
    decl->annotations = annotations(node.annotations, place, of);
    if (auto* owner = dynamic_cast<model::Interface*>(place.parent)) owner->attributes.push_back(decl);
    if (auto* owner = dynamic_cast<model::ValueType*>(place.parent)) owner->attributes.push_back(decl);
  }
}

}  // namespace tenon::idl
