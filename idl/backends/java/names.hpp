// SPDX-License-Identifier: Apache-2.0
//
// Java names of IDL declarations. A name that Java reserves, or that would be one of Object's methods, gets a leading underscore, which no
// name of the model has. Pure functions of the model; one thread at a time.
#pragma once

#include <set>
#include <string>
#include <string_view>

#include "idl/backends/backend.hpp"
#include "idl/model/model.hpp"

namespace tenon::idl::java {

// Of types, members, parameters, operations and packages.
std::string escaped(std::string_view name);
// Of a member of an exception, whose class has the methods of Throwable.
std::string exception_member(std::string_view name);

// The record of a union's branch: its member's name with a capital letter.
std::string branch_name(const model::Union& decl, const model::UnionCase& one);
// That of a discriminator that no branch has.
std::string empty_branch_name(const model::Union& decl);

// Which names mean what in the file that is written now.
class Names {
 public:
  Names(const model::Model& program, const BackendOptions& options);

  // "com.example.Calc", or nothing.
  std::string package_of(const model::Decl& decl) const;
  // The top level class that a declaration is in, or is.
  static const model::Decl& top_level(const model::Decl& decl);

  // Names without a package are those of this one from now on.
  void in_package(const std::string& package) { package_ = package; }

  // As Java code of the current file names the class of a declaration; `suffix` is put behind it, for stubs and servants.
  std::string of(const model::Decl& decl, const char* suffix = "") const;
  // The name alone, where its class is declared.
  std::string simple(const model::Decl& decl, const char* suffix = "") const;
  // A class of java.lang, without its package where no class of the program has that name.
  std::string lang(const char* name) const;

 private:
  void collect_scoped(const std::vector<const model::Decl*>& decls);
  void collect(const std::vector<const model::Decl*>& decls, bool nested);

  const BackendOptions& options_;
  std::string package_;
  std::set<std::string> scoped_;    // all declarations outside of interfaces and types
  std::set<std::string> declared_;  // every class of the program
  std::set<std::string> nested_;    // those inside others, which may hide those of a package
};

}  // namespace tenon::idl::java
