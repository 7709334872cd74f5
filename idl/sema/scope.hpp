// SPDX-License-Identifier: Apache-2.0
//
// Naming scopes and look-up by IDL's rules: names are one per scope whatever their case, inherited names are
// visible, and a name that a scope has used may not be declared in it afterwards.
//
// IDL 4.2 §7.5 (names and scoping). Scopes exist only during analysis; the model does not contain them.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "idl/ast/ast.hpp"
#include "idl/model/model.hpp"
#include "idl/support/diagnostics.hpp"

namespace tenon::idl {

enum class ScopeKind : std::uint8_t { File, Module, Interface, Value, Aggregate, Operation, Mask };

struct Scope;

struct Entry {
  enum class Kind : std::uint8_t { Declaration, Member, TypeCode, Flag };
  Kind kind = Kind::Declaration;
  std::string name;                   // in its own case
  const model::Decl* decl = nullptr;  // Declaration
  Scope* inner = nullptr;             // what may be named behind "::"
  std::uint64_t flag = 0;             // Flag: the value of a bitmask's flag
  Span span;
};

struct Scope {
  ScopeKind kind = ScopeKind::File;
  std::string name;         // empty for the file
  std::string scoped_name;  // "::A::B", empty for the file
  Scope* parent = nullptr;
  const model::Decl* decl = nullptr;
  Span span;                             // of its name
  std::map<std::string, Entry> entries;  // by folded name
  struct Use {
    std::string name;
    Span span;
  };
  std::map<std::string, Use> uses;
  std::vector<Scope*> bases;                   // inherited scopes, direct ones
  std::unordered_set<const Scope*> ancestors;  // those, and what they inherit
  std::string type_prefix;                     // given by typeprefix
  bool has_type_prefix = false;
};

class Scopes {
 public:
  Scopes(Diagnostics& diagnostics, const std::set<std::string>& skipped);

  Scope& file() { return *all_.front(); }
  Scope* add(ScopeKind kind, const ast::Name& name, Scope* parent, const model::Decl* decl);

  // Called once for a scope, before anything is declared in it.
  static void inherit(Scope& scope, std::vector<Scope*> bases);
  // Declares a name; false (and reported) when it may not be declared there.
  bool declare(Scope& scope, const ast::Name& name, Entry entry, const char* what);
  // The entry of this scope alone, whatever the case.
  static Entry* find_own(Scope& scope, const std::string& name);

  // Null: reported. `what` names what is wanted, for messages.
  const Entry* look_up(Scope& from, const ast::ScopedName& name, const char* what);
  // As look_up(), without messages and without marking the use.
  const Entry* find(Scope& from, const ast::ScopedName& name);

 private:
  enum class Outcome : std::uint8_t { Found, Missing, Ambiguous };
  using Found = std::vector<std::pair<Scope*, const Entry*>>;
  Outcome find_in(Scope& scope, const std::string& folded, Found& found);
  void find_inherited(const Scope& scope, const std::string& folded, Found& found);
  std::vector<Scope*> ancestors_with(const Scope& scope, const std::string& folded) const;
  const Entry* resolve(Scope& from, const ast::ScopedName& name, const char* what, bool quiet);
  static void mark_use(Scope& from, const Scope& searched, bool declared_there, const ast::Name& name);
  void unknown(Scope& from, const ast::Name& name, Scope* inside, const char* what);
  void check_case(const ast::Name& name, const Entry& entry);

  Diagnostics& diagnostics_;
  const std::set<std::string>& skipped_;
  std::vector<std::unique_ptr<Scope>> all_;
  std::unordered_map<std::string, std::vector<Scope*>>
      inheritable_;  // by folded name, where interfaces and values declare it
};

}  // namespace tenon::idl
