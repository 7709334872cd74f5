// SPDX-License-Identifier: Apache-2.0
#include "idl/backends/cpp/names.hpp"

#include <algorithm>
#include <array>

namespace tenon::idl::cpp {
namespace {

using namespace std::string_view_literals;

// Sorted: C++20's keywords and alternative tokens, the macros no program can evade, and "std", which would hide the library.
constexpr std::array reserved{
    "EOF"sv,
    "NULL"sv,
    "alignas"sv,
    "alignof"sv,
    "and"sv,
    "and_eq"sv,
    "asm"sv,
    "assert"sv,
    "auto"sv,
    "bitand"sv,
    "bitor"sv,
    "bool"sv,
    "break"sv,
    "case"sv,
    "catch"sv,
    "char"sv,
    "char16_t"sv,
    "char32_t"sv,
    "char8_t"sv,
    "class"sv,
    "co_await"sv,
    "co_return"sv,
    "co_yield"sv,
    "compl"sv,
    "concept"sv,
    "const"sv,
    "const_cast"sv,
    "consteval"sv,
    "constexpr"sv,
    "constinit"sv,
    "continue"sv,
    "decltype"sv,
    "default"sv,
    "delete"sv,
    "do"sv,
    "double"sv,
    "dynamic_cast"sv,
    "else"sv,
    "enum"sv,
    "errno"sv,
    "explicit"sv,
    "export"sv,
    "extern"sv,
    "false"sv,
    "float"sv,
    "for"sv,
    "friend"sv,
    "goto"sv,
    "if"sv,
    "inline"sv,
    "int"sv,
    "long"sv,
    "mutable"sv,
    "namespace"sv,
    "new"sv,
    "noexcept"sv,
    "not"sv,
    "not_eq"sv,
    "nullptr"sv,
    "operator"sv,
    "or"sv,
    "or_eq"sv,
    "private"sv,
    "protected"sv,
    "public"sv,
    "register"sv,
    "reinterpret_cast"sv,
    "requires"sv,
    "return"sv,
    "short"sv,
    "signed"sv,
    "sizeof"sv,
    "static"sv,
    "static_assert"sv,
    "static_cast"sv,
    "std"sv,
    "stderr"sv,
    "stdin"sv,
    "stdout"sv,
    "struct"sv,
    "switch"sv,
    "template"sv,
    "this"sv,
    "thread_local"sv,
    "throw"sv,
    "true"sv,
    "try"sv,
    "typedef"sv,
    "typeid"sv,
    "typename"sv,
    "union"sv,
    "unsigned"sv,
    "using"sv,
    "virtual"sv,
    "void"sv,
    "volatile"sv,
    "wchar_t"sv,
    "while"sv,
    "xor"sv,
    "xor_eq"sv,
};
static_assert(std::is_sorted(reserved.begin(), reserved.end()));

// What generated functions call things of their own.
constexpr std::array local_names{"Reader"sv,    "Writer"sv,     "call"sv, "gen"sv, "get"sv,    "in"sv,
                                 "operation"sv, "operations"sv, "out"sv,  "put"sv, "raises"sv, "self"sv};

bool names_anything(const std::vector<const model::Decl*>& decls, std::string_view name) {
  return std::any_of(decls.begin(), decls.end(), [&](const model::Decl* decl) {
    if (decl->name == name) return true;
    if (const auto* module = model::as<model::Module>(decl)) return names_anything(module->contents, name);
    if (const auto* interface = model::as<model::Interface>(decl))
      return names_anything(interface->contents, name);
    return false;
  });
}

}  // namespace

std::string escaped(std::string_view name) {
  return (std::binary_search(reserved.begin(), reserved.end(), name) ? "_cxx_" : "") + std::string(name);
}

std::string parameter_name(std::string_view name) {
  const bool taken = std::find(local_names.begin(), local_names.end(), name) != local_names.end();
  return taken ? "_cxx_" + std::string(name) : escaped(name);
}

std::string qualified(const model::Decl& decl) {
  return (decl.parent != nullptr ? qualified(*decl.parent) : std::string()) + "::" + escaped(decl.name);
}

std::string in_namespace(const model::Decl& decl) {
  if (decl.parent == nullptr || decl.parent->kind == model::DeclKind::Module) return escaped(decl.name);
  return in_namespace(*decl.parent) + "::" + escaped(decl.name);
}

std::string place(const model::Model& program, const model::Decl& decl) {
  std::string_view path = program.files.at(decl.location.file).path;
  path.remove_prefix(path.rfind('/') + 1);
  return std::string(path) + ":" + std::to_string(decl.location.line);
}

SupportNames::SupportNames(const model::Model& program) {
  if (names_anything(program.roots, gen)) gen = "::tenon::gen";
  if (names_anything(program.roots, reader)) reader = "::tenon::cdr::Reader";
  if (names_anything(program.roots, writer)) writer = "::tenon::cdr::Writer";
}

}  // namespace tenon::idl::cpp
