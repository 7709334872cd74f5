// SPDX-License-Identifier: Apache-2.0
#include "idl/sema/scope.hpp"

#include <algorithm>
#include <functional>

#include "idl/model/query.hpp"
#include "idl/support/spelling.hpp"

namespace tenon::idl {

namespace {

std::string described(const Entry& entry) {
  switch (entry.kind) {
    case Entry::Kind::Member: return "member";
    case Entry::Kind::TypeCode: return "interface";
    case Entry::Kind::Flag: return "flag";
    case Entry::Kind::Declaration: break;
  }
  return entry.decl != nullptr ? model::to_string(entry.decl->kind) : "module";
}

bool is_operation_or_attribute(const Entry& entry) {
  return entry.kind == Entry::Kind::Declaration && entry.decl != nullptr &&
         (entry.decl->kind == model::DeclKind::Operation || entry.decl->kind == model::DeclKind::Attribute);
}

bool names_own_scope(ScopeKind kind) { return kind != ScopeKind::File && kind != ScopeKind::Operation; }

}  // namespace

Scopes::Scopes(Diagnostics& diagnostics, const std::set<std::string>& skipped)
    : diagnostics_(diagnostics), skipped_(skipped) {
  all_.push_back(std::make_unique<Scope>());
}

Scope* Scopes::add(ScopeKind kind, const ast::Name& name, Scope* parent, const model::Decl* decl) {
  all_.push_back(std::make_unique<Scope>());
  Scope* scope = all_.back().get();
  scope->kind = kind;
  scope->name = name.text;
  scope->scoped_name = parent->scoped_name + "::" + name.text;
  scope->span = name.span;
  scope->parent = parent;
  scope->decl = decl;
  return scope;
}

Entry* Scopes::find_own(Scope& scope, const std::string& name) {
  const auto it = scope.entries.find(lower(name));
  return it == scope.entries.end() ? nullptr : &it->second;
}

bool Scopes::declare(Scope& scope, const ast::Name& name, Entry entry, const char* what) {
  const std::string folded = lower(name.text);
  const std::string quoted = "'" + name.text + "'";
  if (const auto it = scope.entries.find(folded); it != scope.entries.end()) {
    const Entry& other = it->second;
    if (other.name == name.text) {
      diagnostics_.error(name.span, "redefinition of " + quoted + " as " + what);
    } else {
      diagnostics_.error(name.span, quoted + " differs from '" + other.name + "' in case only",
                         "names in one scope must differ in more");
    }
    diagnostics_.note(other.span, "previous definition as " + described(other) + " is here");
    return false;
  }
  if (scope.kind == ScopeKind::Aggregate && scope.name != name.text && lower(scope.name) == folded &&
      entry.kind == Entry::Kind::Member) {
    // IDL 4.2 §7.5.2 forbids this, but the published security service has `struct Right { string
    // right; }`.
    diagnostics_.warning(name.span,
                         quoted + " differs from the name of its '" + scope.name + "' in case only");
  } else if (names_own_scope(scope.kind) && lower(scope.name) == folded) {
    diagnostics_.error(name.span, quoted + " has the name of the scope that encloses it");
    diagnostics_.note(scope.span, "the enclosing scope is named here");
    return false;
  }
  if (const auto it = scope.uses.find(folded); it != scope.uses.end()) {
    diagnostics_.error(
        name.span,
        quoted + " cannot be declared here: the scope already uses '" + it->second.name + "' from outside",
        "rename it, or write the earlier use with a leading '::'");
    diagnostics_.note(it->second.span, "the use that brought the name into this scope is here");
    return false;
  }
  Found inherited;
  find_inherited(scope, folded, inherited);
  for (const auto& [base, other] : inherited) {
    if (!is_operation_or_attribute(*other)) continue;
    diagnostics_.error(name.span, quoted + " redefines an inherited " + described(*other));
    diagnostics_.note(other->span, "inherited from '" + base->scoped_name + "', declared here");
    return false;
  }
  entry.name = name.text;
  entry.span = name.span;
  scope.entries.emplace(folded, std::move(entry));
  if (scope.kind == ScopeKind::Interface || scope.kind == ScopeKind::Value)
    inheritable_[folded].push_back(&scope);
  return true;
}

// The largest first, so that bases that are ancestors of other bases cost nothing.
void Scopes::inherit(Scope& scope, std::vector<Scope*> bases) {
  scope.bases = bases;
  std::ranges::sort(bases, std::greater<>(), [](const Scope* one) { return one->ancestors.size(); });
  for (const Scope* base : bases) {
    if (!scope.ancestors.insert(base).second) continue;
    scope.ancestors.insert(base->ancestors.begin(), base->ancestors.end());
  }
}

std::vector<Scope*> Scopes::ancestors_with(const Scope& scope, const std::string& folded) const {
  std::vector<Scope*> out;
  if (scope.ancestors.empty()) return out;
  const auto declared = inheritable_.find(folded);
  if (declared == inheritable_.end()) return out;
  for (Scope* one : declared->second) {
    if (scope.ancestors.contains(one)) out.push_back(one);
  }
  return out;
}

// What a scope inherits under a name. A name that a scope declares hides what that scope inherits.
void Scopes::find_inherited(const Scope& scope, const std::string& folded, Found& found) {
  const std::vector<Scope*> declaring = ancestors_with(scope, folded);
  if (declaring.size() == 1) found.emplace_back(declaring.front(), &declaring.front()->entries.at(folded));
  if (declaring.size() < 2) return;
  std::unordered_set<const Scope*> seen;
  std::vector<Scope*> work(scope.bases.rbegin(), scope.bases.rend());
  while (!work.empty()) {
    Scope* one = work.back();
    work.pop_back();
    if (!seen.insert(one).second) continue;
    if (const auto it = one->entries.find(folded); it != one->entries.end()) {
      found.emplace_back(one, &it->second);
    } else {
      work.insert(work.end(), one->bases.rbegin(), one->bases.rend());
    }
  }
}

// Looks in the scope, then in everything that it inherits. An own name hides inherited ones.
Scopes::Outcome Scopes::find_in(Scope& scope, const std::string& folded, Found& found) {
  if (const auto own = scope.entries.find(folded); own != scope.entries.end()) {
    found.emplace_back(&scope, &own->second);
    return Outcome::Found;
  }
  find_inherited(scope, folded, found);
  if (found.empty()) return Outcome::Missing;
  return found.size() == 1 ? Outcome::Found : Outcome::Ambiguous;
}

void Scopes::check_case(const ast::Name& name, const Entry& entry) {
  if (name.text == entry.name) return;
  diagnostics_.error(name.span, "'" + name.text + "' differs from the declared '" + entry.name + "' in case",
                     "write '" + entry.name + "'");
  diagnostics_.note(entry.span, "declared here");
}

// Marks the scopes from that of the use outwards to the one where it was found, but not across a module.
void Scopes::mark_use(Scope& from, const Scope& searched, bool declared_there, const ast::Name& name) {
  for (Scope* scope = &from; scope != nullptr; scope = scope->parent) {
    if (scope == &searched && declared_there) return;
    scope->uses.emplace(lower(name.text), Scope::Use{name.text, name.span});
    if (scope == &searched || scope->kind == ScopeKind::Module || scope->kind == ScopeKind::File) return;
  }
}

void Scopes::unknown(Scope& from, const ast::Name& name, Scope* inside, const char* what) {
  if (skipped_.contains(name.text)) {  // the construct that declares it was skipped after an error
    if (diagnostics_.has_errors()) return;
  }
  std::vector<std::string> candidates;
  for (Scope* scope = inside != nullptr ? inside : &from; scope != nullptr && candidates.size() < 2000;
       scope = inside != nullptr ? nullptr : scope->parent) {
    for (const auto& [key, entry] : scope->entries) candidates.push_back(entry.name);
  }
  if (inside == nullptr) {
    for (const char* word : {"string", "wstring", "boolean", "octet", "double", "float", "short", "long",
                             "char", "wchar", "any", "Object", "sequence", "void", "unsigned"}) {
      candidates.emplace_back(word);
    }
  }
  std::string hint = nearest(name.text, candidates);
  if (!hint.empty()) hint = "did you mean '" + hint + "'?";
  if (hint.empty() && inside == nullptr && name.text == "int") hint = "did you mean 'long' or 'int32'?";
  if (hint.empty() && inside == nullptr && name.text == "bool") hint = "did you mean 'boolean'?";
  if (hint.empty() && inside == nullptr && name.text == "TypeCode") hint = "write 'CORBA::TypeCode'";
  if (hint.empty() && inside == nullptr && name.text == "CORBA") hint = "is '#include <orb.idl>' missing?";
  diagnostics_.error(name.span,
                     inside != nullptr
                         ? "'" + inside->scoped_name + "' has nothing called '" + name.text + "'"
                         : "'" + name.text + "' is not declared; expected " + what,
                     std::move(hint));
}

const Entry* Scopes::look_up(Scope& from, const ast::ScopedName& name, const char* what) {
  return resolve(from, name, what, false);
}

const Entry* Scopes::find(Scope& from, const ast::ScopedName& name) { return resolve(from, name, "", true); }

const Entry* Scopes::resolve(Scope& from, const ast::ScopedName& name, const char* what, bool quiet) {
  const Entry* entry = nullptr;
  Scope* inside = name.absolute ? &file() : nullptr;
  for (std::size_t i = 0; i < name.parts.size(); ++i) {
    const ast::Name& part = name.parts[i];
    const std::string folded = lower(part.text);
    Found found;
    Outcome outcome = Outcome::Missing;
    if (inside != nullptr) {
      outcome = find_in(*inside, folded, found);
    } else {
      for (Scope* scope = &from; scope != nullptr && outcome == Outcome::Missing; scope = scope->parent) {
        outcome = find_in(*scope, folded, found);
        if (outcome == Outcome::Found && !quiet) {
          // A name that this scope inherits is not declared in it, so its use counts here as well.
          mark_use(from, *scope, found.front().first == scope, part);
        }
      }
    }
    if (outcome == Outcome::Missing) {
      if (!quiet) unknown(from, part, inside, what);
      return nullptr;
    }
    if (outcome == Outcome::Ambiguous) {
      if (quiet) return nullptr;
      diagnostics_.error(
          part.span, "'" + part.text + "' is ambiguous: it is inherited from several bases",
          "say which one: '" + found.front().first->scoped_name.substr(2) + "::" + part.text + "'");
      for (const auto& [scope, other] : found) {
        diagnostics_.note(other->span, "declared in '" + scope->scoped_name + "' here");
      }
    }
    entry = found.front().second;
    if (!quiet) check_case(part, *entry);
    if (i + 1 == name.parts.size()) return entry;
    inside = entry->inner;
    if (inside == nullptr) {
      if (!quiet) {
        diagnostics_.error(part.span,
                           "'" + part.text + "' is a " + described(*entry) + " and contains no names");
        diagnostics_.note(entry->span, "declared here");
      }
      return nullptr;
    }
  }
  return entry;
}

}  // namespace tenon::idl
