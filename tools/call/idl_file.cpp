// SPDX-License-Identifier: Apache-2.0
#include "tools/call/idl_file.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <functional>
#include <utility>

#include "idl/driver/compile.hpp"
#include "idl/driver/standard_idl.hpp"
#include "tools/call/bad_input.hpp"
#include "types/create.hpp"
#include "types/walker.hpp"

namespace tenon::call {

namespace model = idl::model;
using model::Direction;
using types::Kind;
using types::TypeRef;

namespace {

struct BasicName {
  std::string_view name;
  Kind kind;
};
constexpr BasicName basic_names[] = {
    {"null", Kind::tk_null},
    {"void", Kind::tk_void},
    {"short", Kind::tk_short},
    {"long", Kind::tk_long},
    {"unsigned short", Kind::tk_ushort},
    {"unsigned long", Kind::tk_ulong},
    {"long long", Kind::tk_longlong},
    {"unsigned long long", Kind::tk_ulonglong},
    {"float", Kind::tk_float},
    {"double", Kind::tk_double},
    {"long double", Kind::tk_longdouble},
    {"boolean", Kind::tk_boolean},
    {"char", Kind::tk_char},
    {"wchar", Kind::tk_wchar},
    {"octet", Kind::tk_octet},
    {"any", Kind::tk_any},
    {"TypeCode", Kind::tk_TypeCode},
    {"string", Kind::tk_string},
    {"wstring", Kind::tk_wstring},
};

bool is_type(const model::Decl& decl) {
  switch (decl.kind) {
    case model::DeclKind::Struct:
    case model::DeclKind::Union:
    case model::DeclKind::Enum:
    case model::DeclKind::Typedef:
    case model::DeclKind::Interface:
    case model::DeclKind::Exception:
    case model::DeclKind::Bitmask:
    case model::DeclKind::Bitset:
    case model::DeclKind::ValueBox:
    case model::DeclKind::ValueType: return true;
    default: return false;
  }
}

/// Whether `name` is the scoped name, with or without "::" in front, or the repository id.
bool names(std::string_view name, const model::Decl& decl) {
  const std::string_view scoped = decl.scoped_name;
  return name == scoped || (scoped.starts_with("::") && name == scoped.substr(2)) ||
         name == decl.repository_id;
}

std::string_view direction_name(Direction direction) {
  return direction == Direction::In ? "in " : direction == Direction::Out ? "out " : "inout ";
}

}  // namespace

IdlFile::IdlFile(const std::string& path, const idl::PreprocessOptions& given) {
  idl::PreprocessOptions options = given;
  options.standard_directory = idl::standard_idl_directory();
  idl::SourceFiles sources;
  idl::Diagnostics diagnostics;
  diagnostics.no_warnings = true;
  const auto text = idl::preprocess(path, options, sources, diagnostics);
  if (text && !diagnostics.has_errors()) model_ = idl::compile_text(*text, sources, diagnostics);
  if (!model_ || diagnostics.has_errors()) {
    std::fputs(idl::render_all(diagnostics, sources, ::isatty(2) != 0).c_str(), stderr);
    throw BadInput(path + " is no valid IDL");
  }
  collect(model_->roots);
}

IdlFile::~IdlFile() = default;

void IdlFile::collect(const std::vector<const model::Decl*>& contents) {
  for (const model::Decl* decl : contents) {
    decls_.push_back(decl);
    if (const auto* in = model::as<model::Module>(decl)) collect(in->contents);
    if (const auto* in = model::as<model::Interface>(decl)) collect(in->contents);
    if (const auto* in = model::as<model::ValueType>(decl)) collect(in->contents);
    if (const auto* in = model::as<model::Struct>(decl)) collect(in->contents);
    if (const auto* in = model::as<model::Union>(decl)) collect(in->contents);
    if (const auto* in = model::as<model::Exception>(decl)) collect(in->contents);
  }
}

const model::Interface* IdlFile::interface(std::string_view name) const {
  for (const model::Decl* decl : decls_) {
    const auto* it = model::as<model::Interface>(decl);
    if (it != nullptr && names(name, *it)) return it;
  }
  return nullptr;
}

std::vector<const model::Interface*> IdlFile::interfaces_with(std::string_view operation) const {
  std::vector<const model::Interface*> found;
  std::string_view attribute = operation;
  if (operation.starts_with("_get_") || operation.starts_with("_set_")) attribute.remove_prefix(5);
  for (const model::Decl* decl : decls_) {
    const auto* it = model::as<model::Interface>(decl);
    if (it == nullptr || it->local) continue;
    const bool has =
        std::ranges::any_of(it->operations, [&](auto* each) { return each->name == operation; }) ||
        std::ranges::any_of(it->attributes, [&](auto* each) { return each->name == attribute; });
    if (has) found.push_back(it);
  }
  return found;
}

std::vector<const model::Interface*> IdlFile::interfaces() const {
  std::vector<const model::Interface*> found;
  for (const model::Decl* decl : decls_) {
    const auto* it = model::as<model::Interface>(decl);
    if (it != nullptr && !it->local && it->defined) found.push_back(it);
  }
  std::ranges::sort(found, [](const model::Interface* a, const model::Interface* b) {
    if (a->all_bases.size() != b->all_bases.size()) return a->all_bases.size() > b->all_bases.size();
    return a->repository_id < b->repository_id;
  });
  return found;
}

namespace {

/// How many letters must be changed, added or left out to make one word the other.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t above_left = std::exchange(row[0], i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t changed = above_left + (a[i - 1] == b[j - 1] ? 0 : 1);
      above_left = std::exchange(row[j], std::min({changed, row[j] + 1, row[j - 1] + 1}));
    }
  }
  return row[b.size()];
}

}  // namespace

std::string IdlFile::similar_operation(const std::vector<const model::Interface*>& interfaces,
                                       std::string_view operation) const {
  std::string nearest;
  std::size_t least = operation.size() / 3 + 1;
  const auto look_at = [&](const std::string& name) {
    const std::size_t far = distance(operation, name);
    if (far <= least && (nearest.empty() || far < least)) {
      least = far;
      nearest = name;
    }
  };
  for (const model::Interface* each : interfaces) {
    for (const model::Operation* one : each->all_operations) look_at(one->name);
    for (const model::Attribute* one : each->all_attributes) look_at(one->name);
  }
  return nearest;
}

Signature IdlFile::of(const model::Operation& operation) {
  Signature made;
  made.operation = operation.name;
  made.oneway = operation.oneway;
  made.result = types_.type(*operation.result);
  made.text = (made.oneway ? "oneway " : "") + name_of(*made.result) + " " + operation.name + "(";
  for (const model::Parameter& each : operation.parameters) {
    made.parameters.push_back({each.name, each.direction, types_.type(*each.type)});
    if (made.parameters.size() > 1) made.text += ", ";
    made.text +=
        std::string(direction_name(each.direction)) + name_of(*made.parameters.back().type) + " " + each.name;
  }
  made.text += ")";
  for (const model::Exception* each : operation.raises) made.exceptions.push_back(types_.of(*each));
  return made;
}

Signature IdlFile::getter(const model::Attribute& attribute) {
  Signature made;
  made.operation = "_get_" + attribute.name;
  made.result = types_.type(*attribute.type);
  made.text = (attribute.readonly ? "readonly attribute " : "attribute ") + name_of(*made.result) + " " +
              attribute.name;
  for (const model::Exception* each : attribute.get_raises) made.exceptions.push_back(types_.of(*each));
  return made;
}

Signature IdlFile::setter(const model::Attribute& attribute) {
  Signature made;
  made.operation = "_set_" + attribute.name;
  made.result = types::basic(Kind::tk_void);
  made.parameters.push_back({attribute.name, Direction::In, types_.type(*attribute.type)});
  made.text = "attribute " + name_of(*made.parameters[0].type) + " " + attribute.name;
  for (const model::Exception* each : attribute.set_raises) made.exceptions.push_back(types_.of(*each));
  return made;
}

Signature IdlFile::signature(const model::Interface& interface, std::string_view operation,
                             std::size_t arguments) {
  for (const model::Operation* each : interface.all_operations) {
    if (each->name == operation) return of(*each);
  }
  for (const model::Attribute* each : interface.all_attributes) {
    const bool get = operation == "_get_" + each->name || (operation == each->name && arguments == 0);
    const bool set = operation == "_set_" + each->name || (operation == each->name && arguments != 0);
    if (get) return getter(*each);
    if (set && each->readonly) throw BadInput("attribute " + each->name + " is readonly");
    if (set) return setter(*each);
  }
  const std::string similar = similar_operation({&interface}, operation);
  throw BadInput(interface.scoped_name.substr(2) + " has no operation or attribute '" +
                 std::string(operation) + "'" +
                 (similar.empty() ? "; --list shows what it has" : "; did you mean '" + similar + "'?"));
}

std::vector<Signature> IdlFile::signatures(const model::Interface& interface) {
  std::vector<Signature> all;
  for (const model::Attribute* each : interface.all_attributes) {
    all.push_back(getter(*each));
    if (!each->readonly) all.push_back(setter(*each));
  }
  for (const model::Operation* each : interface.all_operations) all.push_back(of(*each));
  return all;
}

TypeRef IdlFile::type(std::string_view name) {
  for (const BasicName& each : basic_names) {
    if (each.name == name) return types::basic(each.kind);
  }
  if (name.starts_with("sequence<") && name.ends_with(">")) {
    const auto made = types::create_sequence(0, type(name.substr(9, name.size() - 10)));
    if (made) return *made;
  }
  if (name == "Object") {
    const auto made = types::create_named(Kind::tk_objref, "IDL:omg.org/CORBA/Object:1.0", "Object");
    if (made) return *made;
  }
  for (const model::Decl* decl : decls_) {
    if (is_type(*decl) && names(name, *decl)) return types_.of(*decl);
  }
  throw BadInput("no type is called '" + std::string(name) + "'");
}

TypeRef IdlFile::value_type(std::string_view id) {
  for (const model::Decl* decl : decls_) {
    const bool is_value = decl->kind == model::DeclKind::ValueType || decl->kind == model::DeclKind::ValueBox;
    if (is_value && decl->repository_id == id) return types_.of(*decl);
  }
  return {};
}

bool IdlFile::derives(std::string_view id, std::string_view base) const {
  if (id == base) return true;
  const auto is_base = [&](const model::Decl* decl) { return decl->repository_id == base; };
  const auto supports_base = [&](const model::ValueType& value) {
    return std::ranges::any_of(value.supports, [&](const model::Interface* each) {
      return is_base(each) || std::ranges::any_of(each->all_bases, is_base);
    });
  };
  for (const model::Decl* decl : decls_) {
    const auto* it = model::as<model::ValueType>(decl);
    if (it == nullptr || it->repository_id != id) continue;
    return std::ranges::any_of(it->all_bases, is_base) || supports_base(*it) ||
           std::ranges::any_of(it->all_bases, [&](auto* each) { return supports_base(*each); });
  }
  return false;
}

std::string IdlFile::name_of(const types::TypeCode& type) const {
  for (const BasicName& each : basic_names) {
    if (each.kind == type.kind && type.length == 0) return std::string(each.name);
  }
  if (type.kind == Kind::tk_sequence && type.length == 0) return "sequence<" + name_of(*type.content) + ">";
  if (!type.id.empty()) {
    for (const model::Decl* decl : decls_) {
      if (is_type(*decl) && decl->repository_id == type.id) return decl->scoped_name.substr(2);
    }
    if (type.id == "IDL:omg.org/CORBA/Object:1.0") return "Object";
    return std::string(type.id);
  }
  return types::text(type);
}

}  // namespace tenon::call
