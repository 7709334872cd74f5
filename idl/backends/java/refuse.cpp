// SPDX-License-Identifier: Apache-2.0
//
// What has no Java form yet, each with its place.
#include <algorithm>
#include <cctype>

#include "idl/backends/java/types.hpp"

namespace tenon::idl::java {
namespace {

using model::Decl;
using model::DeclKind;
using model::Type;
using model::TypeKind;

constexpr std::size_t most_members =
    254;  // a method of Java has 255 words of arguments at most, itself counted
constexpr std::size_t most_enumerators = 4000;  // what makes them all is one method of 64 KiB

// A long or double of Java is two words.
std::size_t words_of(const model::Type& type) {
  const std::string name = primitive_name(type);
  return name == "Long" || name == "Double" ? 2 : 1;
}

bool is_package(const std::string& text) {
  std::size_t from = 0;
  while (true) {
    const std::size_t to = text.find('.', from);
    const std::string part = text.substr(from, to == std::string::npos ? to : to - from);
    const bool named = !part.empty() && std::isdigit(static_cast<unsigned char>(part[0])) == 0 &&
                       std::all_of(part.begin(), part.end(),
                                   [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; });
    if (!named || (part != "org" && part != "java" && escaped(part) != part)) return false;
    if (to == std::string::npos) return true;
    from = to + 1;
  }
}

class JavaRefusal {
 public:
  JavaRefusal(const model::Model& program, const BackendOptions& options, BackendDiagnostics& diagnostics)
      : views_(program), options_(options), diagnostics_(diagnostics) {}

  void check(const std::vector<const Decl*>& decls);
  bool found() const { return found_; }

 private:
  void check(const Decl& decl);
  void type(const Type& written, model::Location where);
  void named(const Decl& decl, model::Location where);
  void members(const Decl& decl, const std::vector<model::Member>& members);
  void views(const model::Struct& record, model::Location where);
  void interface(const model::Interface& decl);
  void value(const model::ValueType& decl);
  template <typename Calls>
  void calls(const Decl& decl, const Calls& owner);
  void default_package(const Decl& decl);

  void error(model::Location where, const std::string& what) {
    found_ = true;
    diagnostics_.error(where, what);
  }
  void no_form(model::Location where, const std::string& what) {
    error(where, what + " has no Java form yet");
  }

  const Views views_;
  const BackendOptions& options_;
  BackendDiagnostics& diagnostics_;
  bool found_ = false;
};

bool is_emitted(const Decl& decl) { return decl.in_main_file && !decl.provided_by_orb; }

bool has_java_form(const Type& type) {
  if (type.kind != TypeKind::Named) return true;
  if (type.decl->provided_by_orb) return false;
  if (const auto* interface = model::as<model::Interface>(type.decl))
    return !interface->local && (interface->defined || !interface->abstract);
  if (const auto* value = model::as<model::ValueType>(type.decl)) return value->defined;
  return type.decl->kind != DeclKind::Native;
}

void JavaRefusal::named(const Decl& decl, model::Location where) {
  const std::string name = std::string("'") + decl.scoped_name.substr(2) + "'";
  if (decl.provided_by_orb) return no_form(where, name + ", which the ORB provides,");
  switch (decl.kind) {
    case DeclKind::ValueType:
      if (!static_cast<const model::ValueType&>(decl).defined)
        return error(where, "value type " + name + " is declared, but not defined");
      break;
    case DeclKind::Native: return no_form(where, "native type " + name);
    case DeclKind::Interface: {
      const auto& interface = static_cast<const model::Interface&>(decl);
      if (interface.local) return no_form(where, "local interface " + name);
      if (interface.abstract && !interface.defined)
        return error(where, "abstract interface " + name + " is declared, but not defined");
      return;
    }
    default: break;
  }
  if (is_emitted(decl)) return;  // it is refused where it is
  model::Type whole;
  whole.kind = TypeKind::Named;
  whole.decl = &decl;
  const Type* inside = nullptr;
  model::contains(&whole, [&](const Type& one) {
    if (inside == nullptr && !has_java_form(one)) inside = &one;
    return inside != nullptr;
  });
  if (inside != nullptr) no_form(where, name + ", because of what it contains,");
}

void JavaRefusal::type(const Type& written, model::Location where) {
  const Type& type = *model::resolve_aliases(&written);
  switch (type.kind) {
    case TypeKind::Sequence:
    case TypeKind::Array:
      for (const std::uint64_t dimension : type.dimensions) {
        if (dimension > 0x7fffffff) return error(where, "an array of Java has at most 2147483647 elements");
      }
      return this->type(*type.element, where);
    case TypeKind::Map: this->type(*type.key, where); return this->type(*type.element, where);
    case TypeKind::Named: return named(*type.decl, where);
    default: return;
  }
}

void JavaRefusal::members(const Decl& decl, const std::vector<model::Member>& members) {
  std::size_t words = 0;
  for (const model::Member& member : members) words += words_of(*member.type);
  if (words > most_members) {
    error(decl.location, "'" + decl.name + "' has " + std::to_string(members.size()) +
                             " members; a constructor of Java takes " + std::to_string(most_members) +
                             " at most, of which 64-bit numbers count twice");
  }
  for (const model::Member& member : members) type(*member.type, member.location);
}

// The file of a struct makes its views.
void JavaRefusal::views(const model::Struct& record, model::Location where) {
  for (const model::Struct* one : structs_inside(record)) {
    if (!views_.has(*one))
      error(where, "'" + one->scoped_name.substr(2) +
                       "' has no views: write @tenon::view in front of the struct in its file");
  }
}

// Of an interface or value type. Inherited ones are in its classes, too; those of this file are refused where they are.
template <typename Calls>
void JavaRefusal::calls(const Decl& decl, const Calls& owner) {
  const auto skipped = [&](const Decl& one) { return one.parent != &decl && is_emitted(one); };
  const auto place = [&](const Decl& one, model::Location own) {
    return one.parent == &decl ? own : decl.location;
  };
  for (const model::Operation* one : owner.all_operations) {
    if (skipped(*one)) continue;
    type(*one->result, place(*one, one->location));
    std::size_t words = viewed_result(*one) != nullptr ? 1 : 0;
    for (const model::Parameter& parameter : one->parameters) {
      type(*parameter.type, place(*one, parameter.location));
      words += parameter.direction == model::Direction::In ? words_of(*parameter.type) : 1;
    }
    if (words > most_members)
      error(place(*one, one->location), "a method of Java takes " + std::to_string(most_members) +
                                            " parameters at most, of which 64-bit numbers count twice");
    if (const model::Struct* result = viewed_result(*one)) views(*result, place(*one, one->location));
    for (const model::Parameter& parameter : one->parameters) {
      if (const model::Struct* record = viewed_struct(parameter))
        views(*record, place(*one, parameter.location));
    }
    for (const model::Exception* raised : one->raises) named(*raised, place(*one, one->location));
    if (!one->contexts.empty())
      no_form(place(*one, one->location), "the context clause of '" + one->name + "'");
  }
  for (const model::Attribute* one : owner.all_attributes) {
    if (!skipped(*one)) type(*one->type, place(*one, one->location));
  }
}

void JavaRefusal::interface(const model::Interface& decl) {
  for (const model::Interface* base : decl.bases) named(*base, decl.location);
  calls(decl, decl);
}

void JavaRefusal::value(const model::ValueType& decl) {
  for (const model::ValueType* base : decl.bases) named(*base, decl.location);
  for (const model::Interface* one : decl.supports) named(*one, decl.location);
  for (const model::StateMember* one : decl.state) type(*one->type, one->location);
  for (const model::Initializer* one : decl.initializers) {
    for (const model::Parameter& parameter : one->parameters) type(*parameter.type, parameter.location);
    for (const model::Exception* raised : one->raises) named(*raised, one->location);
  }
  calls(decl, decl);
}

// A class in a package cannot name one that is in none.
void JavaRefusal::default_package(const Decl& decl) {
  if (!options_.java_package.empty() || Names::top_level(decl).parent == nullptr) return;
  for (const Decl* one : model::dependencies(&decl)) {
    if (Names::top_level(*one).parent != nullptr || (one->kind == DeclKind::Typedef && !options_.any) ||
        one->provided_by_orb)
      continue;
    error(decl.location,
          "'" + decl.name + "' uses '" + one->name +
              "', which is outside of all modules and so in no package: give it one by --java-package");
  }
}

void JavaRefusal::check(const Decl& decl) {
  if (const auto* module = model::as<model::Module>(&decl)) return check(module->contents);
  if (!is_emitted(decl) || decl.kind == DeclKind::Forward || decl.kind == DeclKind::Annotation) return;
  named(decl, decl.location);
  default_package(decl);
  if (const auto* names = model::as<model::Enum>(&decl);
      names != nullptr && names->enumerators.size() > most_enumerators)
    error(decl.location, "an enum of Java has " + std::to_string(most_enumerators) + " values at most");
  if (const auto* it = model::as<model::Struct>(&decl)) {
    check(it->contents);
    members(decl, model::members_of(*it));
  } else if (const auto* exception = model::as<model::Exception>(&decl)) {
    check(exception->contents);
    members(decl, exception->members);
  } else if (const auto* choice = model::as<model::Union>(&decl)) {
    check(choice->contents);
    for (const model::UnionCase& one : choice->cases) type(*one.member.type, one.member.location);
  } else if (const auto* constant = model::as<model::Constant>(&decl)) {
    type(*constant->type, decl.location);
    if (constant->value.kind == model::ValueKind::WChar && constant->value.character > 0xffff)
      error(decl.location, "a char of Java cannot be a character above U+FFFF");
  } else if (const auto* alias = model::as<model::Typedef>(&decl)) {
    type(*alias->type, decl.location);
  } else if (const auto* remote = model::as<model::Interface>(&decl); remote != nullptr && remote->defined) {
    check(remote->contents);
    interface(*remote);
  } else if (const auto* box = model::as<model::ValueBox>(&decl)) {
    type(*box->type, decl.location);
  } else if (const auto* state = model::as<model::ValueType>(&decl); state != nullptr && state->defined) {
    check(state->contents);
    value(*state);
  }
}

void JavaRefusal::check(const std::vector<const Decl*>& decls) {
  for (const Decl* decl : decls) check(*decl);
}

}  // namespace

bool refuse(const model::Model& program, const BackendOptions& options, BackendDiagnostics& diagnostics) {
  if (!options.java_package.empty() && !is_package(options.java_package)) {
    diagnostics.error({}, "--java-package: '" + options.java_package +
                              "' is no package of Java: names with dots between them");
    return true;
  }
  JavaRefusal refusal(program, options, diagnostics);
  refusal.check(program.roots);
  return refusal.found();
}

}  // namespace tenon::idl::java
