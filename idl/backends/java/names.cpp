// SPDX-License-Identifier: Apache-2.0
#include "idl/backends/java/names.hpp"

#include <algorithm>
#include <array>
#include <cctype>

namespace tenon::idl::java {
namespace {

using namespace std::string_view_literals;

// Sorted: Java 17's keywords and literals, the names that a type cannot have, Object's methods, and the packages that generated code names.
constexpr std::array java_reserved{
    "_"sv,          "abstract"sv,  "assert"sv,       "boolean"sv, "break"sv,     "byte"sv,
    "case"sv,       "catch"sv,     "char"sv,         "class"sv,   "clone"sv,     "const"sv,
    "continue"sv,   "default"sv,   "do"sv,           "double"sv,  "else"sv,      "enum"sv,
    "equals"sv,     "extends"sv,   "false"sv,        "final"sv,   "finalize"sv,  "finally"sv,
    "float"sv,      "for"sv,       "getClass"sv,     "goto"sv,    "hashCode"sv,  "if"sv,
    "implements"sv, "import"sv,    "instanceof"sv,   "int"sv,     "interface"sv, "java"sv,
    "long"sv,       "native"sv,    "new"sv,          "notify"sv,  "notifyAll"sv, "null"sv,
    "org"sv,        "package"sv,   "permits"sv,      "private"sv, "protected"sv, "public"sv,
    "record"sv,     "return"sv,    "sealed"sv,       "short"sv,   "static"sv,    "strictfp"sv,
    "super"sv,      "switch"sv,    "synchronized"sv, "this"sv,    "throw"sv,     "throws"sv,
    "toString"sv,   "transient"sv, "true"sv,         "try"sv,     "var"sv,       "void"sv,
    "volatile"sv,   "wait"sv,      "while"sv,        "yield"sv,
};
static_assert(std::is_sorted(java_reserved.begin(), java_reserved.end()));

constexpr std::array of_throwable{
    "addSuppressed"sv, "fillInStackTrace"sv, "getCause"sv,  "getLocalizedMessage"sv, "getMessage"sv,
    "getStackTrace"sv, "getSuppressed"sv,    "initCause"sv, "printStackTrace"sv,     "setStackTrace"sv};

std::string with_capital(std::string name) {
  name[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(name[0])));
  return name;
}

bool is_enclosing(const model::Decl* decl, std::string_view name) {
  for (; decl != nullptr && decl->kind != model::DeclKind::Module; decl = decl->parent) {
    if (decl->name == name) return true;
  }
  return false;
}

const std::vector<const model::Decl*>* inside(const model::Decl& decl) {
  if (const auto* it = model::as<model::Interface>(&decl)) return &it->contents;
  if (const auto* it = model::as<model::ValueType>(&decl)) return &it->contents;
  if (const auto* it = model::as<model::Struct>(&decl)) return &it->contents;
  if (const auto* it = model::as<model::Union>(&decl)) return &it->contents;
  if (const auto* it = model::as<model::Exception>(&decl)) return &it->contents;
  return nullptr;
}

}  // namespace

std::string escaped(std::string_view name) {
  const bool taken = std::binary_search(java_reserved.begin(), java_reserved.end(), name);
  return (taken ? "_" : "") + std::string(name);
}

std::string exception_member(std::string_view name) {
  const bool taken = std::find(of_throwable.begin(), of_throwable.end(), name) != of_throwable.end();
  return taken ? "_" + std::string(name) : escaped(name);
}

// A class cannot have the name of one that it is in.
std::string branch_name(const model::Union& decl, const model::UnionCase& one) {
  const std::string name = with_capital(one.member.name);
  return is_enclosing(&decl, name) ? "_" + name : name;
}

std::string empty_branch_name(const model::Union& decl) {
  const std::string name = "Default";
  for (const model::UnionCase& one : decl.cases) {
    if (branch_name(decl, one) == name) return "_" + name;
  }
  return is_enclosing(&decl, name) ? "_" + name : name;
}

Names::Names(const model::Model& program, const BackendOptions& options) : options_(options) {
  collect_scoped(program.roots);
  collect(program.roots, false);
}

void Names::collect_scoped(const std::vector<const model::Decl*>& decls) {
  for (const model::Decl* decl : decls) {
    scoped_.insert(decl->scoped_name);
    if (decl->kind == model::DeclKind::Module)
      collect_scoped(static_cast<const model::Module&>(*decl).contents);
  }
}

void Names::collect(const std::vector<const model::Decl*>& decls, bool nested) {
  const auto add = [&](const std::string& name, bool is_nested) {
    declared_.insert(name);
    if (is_nested) nested_.insert(name);
  };
  for (const model::Decl* decl : decls) {
    if (decl->kind == model::DeclKind::Module) {
      collect(static_cast<const model::Module&>(*decl).contents, false);
      continue;
    }
    add(escaped(decl->name), nested);
    if (decl->kind == model::DeclKind::Interface) {
      add(simple(*decl, "Stub"), nested);
      if (options_.ami) add(simple(*decl, "Async"), nested);
      add(simple(*decl, "Servant"), nested);
    }
    if (decl->kind == model::DeclKind::Struct) add(simple(*decl, "View"), nested);
    if (decl->kind == model::DeclKind::ValueType) add(simple(*decl, "ValueFactory"), nested);
    if (const auto* choice = model::as<model::Union>(decl)) {
      for (const model::UnionCase& one : choice->cases) add(branch_name(*choice, one), true);
      if (choice->implicit_default) add(empty_branch_name(*choice), true);
    }
    if (const auto* contents = inside(*decl)) collect(*contents, true);
  }
}

std::string Names::package_of(const model::Decl& decl) const {
  std::string package;
  for (const model::Decl* scope = decl.parent; scope != nullptr; scope = scope->parent) {
    if (scope->kind != model::DeclKind::Module) continue;
    // Packages may be named as variables may not.
    const std::string name =
        scope->name == "org" || scope->name == "java" ? scope->name : escaped(scope->name);
    package = name + (package.empty() ? "" : "." + package);
  }
  const std::string& prefix = options_.java_package;
  if (prefix.empty() || package.empty()) return prefix + package;
  return prefix + "." + package;
}

const model::Decl& Names::top_level(const model::Decl& decl) {
  const model::Decl* at = &decl;
  while (at->parent != nullptr && at->parent->kind != model::DeclKind::Module) at = at->parent;
  return *at;
}

std::string Names::simple(const model::Decl& decl, const char* suffix) const {
  if (*suffix == '\0') return escaped(decl.name);
  // An interface FooStub beside an interface Foo keeps its name.
  const std::string name = decl.name + suffix;
  const std::string scope = decl.scoped_name.substr(0, decl.scoped_name.size() - decl.name.size());
  return (scoped_.contains(scope + name) ? "_" : "") + name;
}

std::string Names::of(const model::Decl& decl, const char* suffix) const {
  std::string path = simple(decl, suffix);
  const model::Decl* scope = &decl;
  while (scope->parent != nullptr && scope->parent->kind != model::DeclKind::Module) {
    scope = scope->parent;
    path.insert(0, simple(*scope) + ".");
  }
  const std::string package = package_of(decl);
  const bool hidden = nested_.contains(path.substr(0, path.find('.')));
  if (package.empty() || (package == package_ && !hidden)) return path;
  return package + "." + path;
}

std::string Names::lang(const char* name) const {
  return declared_.contains(name) ? std::string("java.lang.") + name : name;
}

}  // namespace tenon::idl::java
