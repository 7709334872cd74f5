// SPDX-License-Identifier: Apache-2.0
//
// Repository ids: the prefix in force at every point of the program, and ids given by pragma, typeid,
// typeprefix.
//
// CORBA 3.4 part 1, "Pragma Directives for RepositoryId": a prefix lasts until the end of the scope or file
// that it stands in; an included file starts without one. The body of an id is the prefix and the names of
// the scopes opened since the prefix was set (a prefix set inside a module replaces the module's part;
// omniORB does the same).
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "idl/model/model.hpp"
#include "idl/sema/scope.hpp"
#include "idl/support/diagnostics.hpp"

namespace tenon::idl {

class RepositoryIds {
 public:
  explicit RepositoryIds(Diagnostics& diagnostics) : diagnostics_(diagnostics) {}

  void enter_scope(const Scope& scope);
  void leave_scope();
  void enter_file(const Scope& current);
  void leave_file();
  void set_prefix(const std::string& prefix) { body_ = prefix; }

  // Gives a new declaration its default id; a declaration that has an explicit one keeps it.
  void assign(model::Decl& decl);
  // A module opened once more: one module has one id (CORBA 3.4 part 1, "Uniqueness Constraints on Repository
  // IDs"). `where` is where to warn if the prefix in force would give another; nothing: a typeprefix gives it.
  void assign_reopened(model::Decl& decl, const model::Decl& first, std::optional<Span> where);
  // Called at the definition of something declared forward: the same id must result.
  void check_definition(const model::Decl& decl, Span where);

  void set_id(model::Decl& decl, const std::string& id, Span where);
  void set_version(model::Decl& decl, const std::string& version, Span where);
  // typeprefix: also renames what the scope already contains.
  void set_type_prefix(Scope& target, const std::string& prefix, Span where);

 private:
  struct Given {
    bool id = false;
    bool version = false;
    Span where;
  };
  std::string default_id(const std::string& name) const;
  void rename(Scope& scope, const std::string& body);
  static void replace_body(model::Decl& decl, const std::string& body);

  Diagnostics& diagnostics_;
  std::string body_;  // "omg.org/CosNaming": the part before "/Name"
  struct Frame {
    const Scope* scope;
    std::string outer;
  };
  std::vector<Frame> frames_;
  std::vector<std::string> files_;
  std::map<const model::Decl*, Given> given_;
};

}  // namespace tenon::idl
