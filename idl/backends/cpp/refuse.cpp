// SPDX-License-Identifier: Apache-2.0
//
// Refuses what is legal IDL but has no C++ here: reported once per declaration of the main file that needs it, with the construct's name.
#include <set>
#include <string>

#include "idl/backends/cpp/emit.hpp"
#include "idl/backends/cpp/walk.hpp"
#include "idl/model/provided.hpp"

namespace tenon::idl::cpp {
namespace {

using model::Decl;
using model::DeclKind;
using model::Type;
using model::TypeKind;

bool is_object(const Decl& decl) { return decl.provided_by_orb && model::is_object_in_orb(decl.scoped_name); }

class Refusal {
 public:
  Refusal(const model::Model& program, BackendDiagnostics& diagnostics)
      : program_(program), diagnostics_(diagnostics) {}

  bool found() const { return found_; }

  void check(const std::vector<const Decl*>& decls) {
    for (const Decl* decl : decls) {
      if (decl->kind == DeclKind::Module || (decl->in_main_file && !decl->provided_by_orb)) check(*decl);
    }
  }

 private:
  void check(const Decl& decl);
  void members(const Decl& owner, const std::vector<model::Member>& members) {
    std::vector<const Type*> types;
    for (const model::Member& member : members) {
      type(owner, *member.type, member.location);
      types.push_back(member.type);
    }
    size(owner, types);
  }
  // `remote`: they are marshalled.
  void calls(const std::vector<const model::Operation*>& operations,
             const std::vector<const model::Attribute*>& attributes, bool remote);
  void travels(const Decl& owner, const Type& type, model::Location where);
  void bases(const model::Interface& decl);
  void bases(const model::ValueType& decl);
  void type(const Decl& owner, const Type& type, model::Location where);
  void error(const Decl& owner, model::Location where, const std::string& what, const std::string& note);

  void size(const Decl& decl, const std::vector<const Type*>& parts);

  const model::Model& program_;
  BackendDiagnostics& diagnostics_;
  model::MinimumSizes sizes_;
  std::set<const Decl*> said_;
  bool found_ = false;
};

void Refusal::error(const Decl& owner, model::Location where, const std::string& what,
                    const std::string& note) {
  found_ = true;
  if (!said_.insert(&owner).second) return;
  diagnostics_.error(where, what);
  diagnostics_.note(where, note);
}

void Refusal::type(const Decl& owner, const Type& any, model::Location where) {
  const Type& type = *model::resolve_aliases(&any);
  if (type.key != nullptr) this->type(owner, *type.key, where);
  if (type.element != nullptr) this->type(owner, *type.element, where);
  if (type.kind != TypeKind::Named) return;
  if (type.decl->kind == DeclKind::Native && !type.decl->provided_by_orb &&
      verbatim(*type.decl, false).empty() && verbatim(*type.decl, true).empty()) {
    error(owner, where, "native type '" + type.decl->name + "' has no C++ mapping",
          "say at its declaration what it is in C++: @verbatim(language=\"c++\", text=\"using " +
              type.decl->name + " = ...;\")");
  } else if (const auto* value = model::as<model::ValueType>(type.decl);
             value != nullptr && !value->defined) {
    error(owner, where, "value type '" + value->name + "' is never defined",
          "only its definition says how values of it travel");
  } else if (const auto* interface = model::as<model::Interface>(type.decl);
             interface != nullptr && !interface->defined && !interface->provided_by_orb &&
             said_.insert(interface).second) {
    diagnostics_.warning(where, "interface '" + interface->name +
                                    "' is never defined: its references are plain CORBA::Object");
  }
}

// Reported for the innermost type that is too large: types that contain it are too large as well.
void Refusal::size(const Decl& decl, const std::vector<const Type*>& parts) {
  const auto too_large = [](std::uint64_t octets) { return octets > model::largest_message; };
  if (!too_large(sizes_.of(&decl))) return;
  for (const Type* part : parts) {
    if (too_large(sizes_.of(&leaf(*part)))) return;
  }
  diagnostics_.warning(decl.location, "a value of '" + decl.name + "' has " +
                                          std::to_string(sizes_.of(&decl)) +
                                          " octets or more; a message holds 4294967295 at most");
}

// What has no form on the wire. Analysis has refused local interfaces as parameters.
void Refusal::travels(const Decl& owner, const Type& type, model::Location where) {
  if (!model::is_local(&type)) return;
  const Decl* local = nullptr;
  model::contains(&type, [&](const Type& one) {
    if (one.kind != TypeKind::Named || one.decl == nullptr) return false;
    const auto* interface = model::as<model::Interface>(one.decl);
    if (interface != nullptr ? interface->local : one.decl->kind == DeclKind::Native || is_object(*one.decl))
      local = one.decl;
    return local != nullptr;
  });
  if (local == nullptr) return;
  const char* const note = "only operations of local interfaces and of value types can have it";
  if (local->kind == DeclKind::Native) {
    error(owner, where, "native type '" + local->name + "' cannot travel", note);
  } else if (local->kind == DeclKind::Interface) {
    error(owner, where, "local interface '" + local->name + "' cannot travel", note);
  } else {
    error(owner, where, "value type '" + local->name + "' cannot travel",
          std::string("the library has it as an object that stays with its ORB; ") + note);
  }
}

void Refusal::calls(const std::vector<const model::Operation*>& operations,
                    const std::vector<const model::Attribute*>& attributes, bool remote) {
  const auto use = [&](const Decl& owner, const Type& type, model::Location where) {
    this->type(owner, type, where);
    if (remote) travels(owner, type, where);
  };
  for (const model::Operation* operation : operations) {
    use(*operation, *operation->result, operation->location);
    for (const model::Parameter& parameter : operation->parameters)
      use(*operation, *parameter.type, parameter.location);
    if (!operation->contexts.empty()) {
      error(*operation, operation->location, "operation '" + operation->name + "' has a context clause",
            "the IDL to C++11 mapping has no contexts, so a stub could not send what the operation asks for, "
            "nor a servant read it");
    }
  }
  for (const model::Attribute* attribute : attributes) use(*attribute, *attribute->type, attribute->location);
}

void Refusal::bases(const model::Interface& decl) {
  for (const model::Interface* base : decl.all_bases) {
    if (decl.handler == nullptr || base->provided_by_orb || !program_.files.at(base->location.file).standard)
      continue;
    error(decl, decl.location,
          "interface '" + decl.name + "' inherits '" + base->scoped_name.substr(2) +
              "', whose C++ in the library has no asynchronous calls",
          "compile it without --ami, or a copy of the standard's IDL file, found by -I, with --ami");
  }
  for (const model::Interface* base : decl.bases) {
    if (!base->provided_by_orb || !model::is_final_in_orb(base->scoped_name)) continue;
    error(decl, decl.location,
          "interface '" + decl.name + "' inherits '" + base->scoped_name.substr(2) +
              "', whose class in C++ is final",
          "the ORB makes these objects itself; have one as an attribute instead of a base");
  }
}

void Refusal::bases(const model::ValueType& decl) {
  for (const model::ValueType* base : decl.bases) {
    if (!base->provided_by_orb || !model::is_orb_value(base->scoped_name)) continue;
    error(decl, decl.location,
          "value type '" + decl.name + "' inherits '" + base->scoped_name.substr(2) +
              "', of which only the ORB has values",
          is_object(*base)
              ? "the library has it as an object that stays with its ORB; derive a C++ class from it"
              : "the ORB makes these values itself; have one as a member instead of a base");
  }
}

void Refusal::check(const Decl& decl) {
  if (const auto* it = model::as<model::Module>(&decl)) return check(it->contents);
  if (const auto* it = model::as<model::Interface>(&decl)) {
    if (it->handles != nullptr) return;  // the interface whose replies it takes has the same faults
    bases(*it);
    check(it->contents);
    calls(it->operations, it->attributes, !it->local);
  } else if (const auto* value = model::as<model::ValueType>(&decl)) {
    bases(*value);
    check(value->contents);
    calls(value->operations, value->attributes, false);
    for (const model::StateMember* member : value->state) type(*member, *member->type, member->location);
  } else if (const auto* box = model::as<model::ValueBox>(&decl)) {
    type(decl, *box->type, decl.location);
    travels(decl, *box->type, decl.location);
  } else if (const auto* record = model::as<model::Struct>(&decl)) {
    check(record->contents);
    members(decl, record->members);
  } else if (const auto* exception = model::as<model::Exception>(&decl)) {
    check(exception->contents);
    members(decl, exception->members);
    for (const model::Member& member : exception->members) travels(decl, *member.type, member.location);
  } else if (const auto* choice = model::as<model::Union>(&decl)) {
    check(choice->contents);
    for (const model::UnionCase& one : choice->cases) type(decl, *one.member.type, one.member.location);
  } else if (const auto* alias = model::as<model::Typedef>(&decl)) {
    type(decl, *alias->type, decl.location);
  }
}

}  // namespace

bool refuse(const model::Model& program, BackendDiagnostics& diagnostics) {
  Refusal refusal(program, diagnostics);
  refusal.check(program.roots);
  return refusal.found();
}

}  // namespace tenon::idl::cpp
