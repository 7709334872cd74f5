// SPDX-License-Identifier: Apache-2.0
#include "idl/sema/implied.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "idl/model/query.hpp"

namespace tenon::idl {

using model::AsyncForm;
using model::Attribute;
using model::Decl;
using model::DeclKind;
using model::Interface;
using model::Operation;
using model::Type;
using model::TypeKind;

namespace {

// Identifiers that differ only in case are the same to IDL.
std::string folded(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return text;
}

class Names {
 public:
  bool has(const std::string& name) const { return taken_.contains(folded(name)); }
  void add(const std::string& name) { taken_.insert(folded(name)); }
  // Finds and takes the first free name among `head` + `tail` with no, one, two ... `filler` between them.
  std::string take(const std::string& head, const std::string& filler, const std::string& tail) {
    std::string between;
    while (has(head + between + tail)) between += filler;
    add(head + between + tail);
    return head + between + tail;
  }

 private:
  std::set<std::string> taken_;
};

// The analysis has made every node non-const, so it may be changed here.
template <class D>
D& open(const D& node) {
  return const_cast<D&>(node);
}

class Implied {
 public:
  explicit Implied(model::Model& program) : program_(program) {}

  void run() {
    collect(program_.roots);
    void_ = program_.add_type(TypeKind::Void);
    Type* holder = program_.add_type(TypeKind::Named);
    holder->decl = holder_ != nullptr ? holder_ : standard<model::ValueType>("ExceptionHolder");
    holder_type_ = holder;
    if (root_ == nullptr) root_ = standard<Interface>("ReplyHandler");
    extend(program_.roots);
  }

 private:
  // Collects the names in scopes that have interfaces, and what the program itself declares in module Messaging.
  void collect(const std::vector<const Decl*>& decls) {
    for (const Decl* decl : decls) {
      names_.add(decl->scoped_name);
      if (const auto* one = model::as<model::Enum>(decl)) {
        for (const model::Enumerator* enumerator : one->enumerators) names_.add(enumerator->scoped_name);
      }
      if (const auto* one = model::as<model::Module>(decl)) collect(one->contents);
      const auto* value = model::as<model::ValueType>(decl);
      if (value != nullptr && value->scoped_name == "::Messaging::ExceptionHolder") holder_ = value;
      const auto* interface = model::as<Interface>(decl);
      if (interface != nullptr && interface->scoped_name == "::Messaging::ReplyHandler") root_ = interface;
    }
  }

  // A declaration of the ORB's own headers.
  template <class D>
  const D* standard(const char* name) {
    if (messaging_ == nullptr) {
      messaging_ = program_.add<model::Module>();
      messaging_->name = "Messaging";
      messaging_->scoped_name = "::Messaging";
      messaging_->repository_id = "IDL:omg.org/Messaging:1.0";
      messaging_->first = messaging_;
      messaging_->provided_by_orb = true;
      messaging_->in_main_file = false;
    }
    D* decl = program_.add<D>();
    decl->name = name;
    decl->scoped_name = "::Messaging::" + decl->name;
    decl->repository_id = "IDL:omg.org/Messaging/" + decl->name + ":1.0";
    decl->parent = messaging_;
    decl->provided_by_orb = true;
    decl->in_main_file = false;
    decl->defined = true;
    return decl;
  }

  void extend(std::vector<const Decl*>& contents) {
    std::vector<const Decl*> out;
    for (const Decl* decl : contents) {
      out.push_back(decl);
      if (const auto* module = model::as<model::Module>(decl)) extend(open(*module).contents);
      const auto* interface = model::as<Interface>(decl);
      if (interface == nullptr || !interface->defined || interface->local || interface->provided_by_orb)
        continue;
      out.push_back(handler_of(open(*interface)));
    }
    contents = std::move(out);
  }

  std::string scope_of(const Decl& decl) const {
    return decl.scoped_name.substr(0, decl.scoped_name.size() - decl.name.size());
  }

  // "AMI_" goes before the name of the interface until no other declaration has the name.
  std::string name_beside(const Interface& decl, const char* end) {
    const std::string scope = scope_of(decl);
    return names_.take(scope + "AMI_", "AMI_", decl.name + end).substr(scope.size());
  }

  // "IDL:omg.org/Some/Name:1.0" with another name. If the id is not made of the declaration's name, the default id.
  static std::string id_beside(const Decl& decl, const std::string& name, const std::string& scoped_name) {
    const std::string& id = decl.repository_id;
    const std::size_t end = id.rfind(':');
    const std::size_t start = end == std::string::npos ? end : id.find_last_of("/:", end - 1);
    if (id.starts_with("IDL:") && start != std::string::npos &&
        id.substr(start + 1, end - start - 1) == decl.name)
      return id.substr(0, start + 1) + name + id.substr(end);
    std::string path = scoped_name.substr(2);
    for (std::size_t at = path.find("::"); at != std::string::npos; at = path.find("::"))
      path.replace(at, 2, "/");
    return "IDL:" + path + ":1.0";
  }

  Interface* handler_of(Interface& decl) {
    auto* handler = program_.add<Interface>();
    handler->name = name_beside(decl, "Handler");
    handler->scoped_name = scope_of(decl) + handler->name;
    handler->repository_id = id_beside(decl, handler->name, handler->scoped_name);
    handler->location = decl.location;
    handler->parent = decl.parent;
    handler->annotations = decl.annotations;
    handler->in_main_file = decl.in_main_file;
    handler->defined = true;
    handler->handles = &decl;
    decl.handler = handler;
    decl.poller = name_beside(decl, "Poller");
    for (const Interface* base : decl.bases) {
      if (base->handler != nullptr) handler->bases.push_back(base->handler);
    }
    if (handler->bases.empty()) handler->bases.push_back(root_);
    std::set<const Interface*> known;
    const auto add_base = [&](const Interface* base) {
      if (known.insert(base).second) handler->all_bases.push_back(base);
    };
    for (const Interface* base : handler->bases) {
      for (const Interface* up : base->all_bases) add_base(up);
      add_base(base);
    }
    for (const Interface* base : handler->all_bases) {
      for (const Operation* one : base->operations) handler->all_operations.push_back(one);
    }
    name_forms(decl);
    fill(*handler, decl);
    return handler;
  }

  static std::string form_name(const AsyncForm& form) {
    if (form.of->kind == DeclKind::Operation) return form.of->name;
    return (form.setter ? "set_" : "get_") + form.of->name;
  }

  // The forms of its own operations and attributes in source order, and their names in the interface (§17.7.1, §17.7.2).
  static void name_forms(Interface& decl) {
    Names taken;
    for (const Operation* one : decl.all_operations) taken.add(one->name);
    for (const Attribute* one : decl.all_attributes) taken.add(one->name);
    for (const Interface* base : decl.all_bases) {
      for (const AsyncForm& form : base->async) {
        taken.add(form.sendc);
        taken.add(form.sendp);
      }
    }
    for (const Decl* item : decl.contents) {
      const auto* operation = model::as<Operation>(item);
      const auto* attribute = model::as<Attribute>(item);
      if (operation != nullptr && !operation->oneway) decl.async.push_back({operation, false, {}, {}});
      if (attribute != nullptr) decl.async.push_back({attribute, false, {}, {}});
      if (attribute != nullptr && !attribute->readonly) decl.async.push_back({attribute, true, {}, {}});
    }
    operations_first(decl, [&](AsyncForm& form) {
      form.sendc = taken.take("sendc_", "ami_", form_name(form));
      form.sendp = taken.take("sendp_", "ami_", form_name(form));
    });
  }

  // If attribute x and an operation get_x want the same name, the operation gets it.
  template <typename Visit>
  static void operations_first(Interface& decl, Visit visit) {
    for (const bool accessors : {false, true}) {
      for (AsyncForm& form : decl.async) {
        if ((form.of->kind == DeclKind::Attribute) == accessors) visit(form);
      }
    }
  }

  // The handler's operations (§17.9.1, §17.9.2).
  void fill(Interface& handler, Interface& decl) {
    Names taken;
    for (const Operation* one : handler.all_operations) taken.add(one->name);
    std::map<const AsyncForm*, std::string> replies;
    operations_first(decl, [&](AsyncForm& form) {
      const char* head = form.of->kind == DeclKind::Operation ? "" : form.setter ? "set_" : "get_";
      replies[&form] = taken.take(head, "ami_", form.of->name);
    });
    for (AsyncForm& form : decl.async) {
      Operation* reply = add_operation(handler, *form.of, replies[&form]);
      results(form, reply->parameters);
      form.reply = reply;
      Operation* excep = add_operation(handler, *form.of, taken.take(reply->name, "_ami", "_excep"));
      excep->parameters.push_back(parameter("excep_holder", holder_type_, form.of->location));
      excep->held = raises(form);
      form.excep = excep;
    }
  }

  Operation* add_operation(Interface& handler, const Decl& of, const std::string& name) {
    auto* operation = program_.add<Operation>();
    operation->name = name;
    operation->scoped_name = handler.scoped_name + "::" + name;
    const std::string& id = handler.repository_id;
    const std::size_t end = id.rfind(':');
    operation->repository_id = id.substr(0, end) + "/" + name + id.substr(end);
    operation->location = of.location;
    operation->parent = &handler;
    operation->annotations = of.annotations;
    operation->in_main_file = handler.in_main_file;
    operation->result = void_;
    handler.contents.push_back(operation);
    handler.operations.push_back(operation);
    handler.all_operations.push_back(operation);
    return operation;
  }

  static model::Parameter parameter(std::string name, const Type* type, model::Location where) {
    model::Parameter made;
    made.name = std::move(name);
    made.type = type;
    made.location = where;
    return made;
  }

  // What comes back, in order: the result, then inout and out parameters.
  static void results(const AsyncForm& form, std::vector<model::Parameter>& into) {
    if (const auto* attribute = model::as<Attribute>(form.of)) {
      if (!form.setter) into.push_back(parameter("ami_return_val", attribute->type, attribute->location));
      return;
    }
    const auto& operation = static_cast<const Operation&>(*form.of);
    Names taken;
    for (const model::Parameter& one : operation.parameters) {
      if (one.direction != model::Direction::In) taken.add(one.name);
    }
    if (operation.result->kind != TypeKind::Void) {
      into.push_back(
          parameter(taken.take("ami_", "ami_", "return_val"), operation.result, operation.location));
    }
    for (const model::Parameter& one : operation.parameters) {
      if (one.direction == model::Direction::In) continue;
      into.push_back(one);
      into.back().direction = model::Direction::In;
    }
  }

  static std::vector<const model::Exception*> raises(const AsyncForm& form) {
    const auto* attribute = model::as<Attribute>(form.of);
    if (attribute == nullptr) return static_cast<const Operation&>(*form.of).raises;
    return form.setter ? attribute->set_raises : attribute->get_raises;
  }

  model::Model& program_;
  Names names_;
  const model::ValueType* holder_ = nullptr;
  const Interface* root_ = nullptr;
  model::Module* messaging_ = nullptr;
  const Type* void_ = nullptr;
  const Type* holder_type_ = nullptr;
};

}  // namespace

void add_implied(model::Model& program) { Implied(program).run(); }

}  // namespace tenon::idl
