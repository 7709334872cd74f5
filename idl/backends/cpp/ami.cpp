// SPDX-License-Identifier: Apache-2.0
//
// Asynchronous calls as the standard's implied IDL has them (CORBA 3.4 part 1 §17.7 ff): sendc_ and sendp_ operations of an
// interface's class, and its poller. Reply handlers are interfaces of the model, which the usual functions emit.
#include <algorithm>

#include "idl/backends/cpp/async_parts.hpp"

namespace tenon::idl::cpp {

using model::AsyncForm;
using model::Interface;

std::string poller_class(const Interface& decl) {
  return (decl.parent != nullptr ? qualified(*decl.parent) : std::string()) + "::" + decl.poller;
}

namespace {

struct Form {
  const AsyncForm& names;
  Call call;
};

std::vector<Form> forms_of(const Interface& decl) {
  std::vector<Form> forms;
  for (Call& call : own_calls(decl)) {
    const bool setter = call.decl->kind == model::DeclKind::Attribute && call.result == nullptr;
    for (const AsyncForm& names : decl.async) {
      if (names.of != call.decl || names.setter != setter) continue;
      forms.push_back({names, std::move(call)});
      break;
    }
  }
  return forms;
}

std::string poller_reference(const Interface& decl) {
  return "::CORBA::valuetype_reference<" + poller_class(decl) + ">";
}

// A name for a parameter of ours beside those of the IDL.
std::string free_name(std::string name, const std::vector<model::Parameter>& beside) {
  while (std::any_of(beside.begin(), beside.end(), [&](const auto& one) { return one.name == name; }))
    name = "ami_" + name;
  return name;
}

std::string handler_name(const Call& call) { return free_name("ami_handler", call.parameters); }

// Those of a call that stubs take, without what only comes back.
std::vector<std::string> in_parameters(const Call& call) {
  std::vector<std::string> out;
  for (const model::Parameter& one : call.parameters) {
    if (one.direction != model::Direction::Out)
      out.push_back(in_type(*one.type) + " " + parameter_name(one.name));
  }
  return out;
}

std::vector<std::string> with_handler(const Interface& decl, const Call& call) {
  std::vector<std::string> all = in_parameters(call);
  all.insert(all.begin(),
             "::CORBA::object_reference<" + qualified(*decl.handler) + "> " + handler_name(call));
  return all;
}

std::string timeout_name(const model::Operation& reply) { return free_name("ami_timeout", reply.parameters); }

std::vector<std::string> poll_parameters(const model::Operation& reply) {
  std::vector<std::string> out{"std::uint32_t " + timeout_name(reply)};
  for (const model::Parameter& one : reply.parameters)
    out.push_back(cpp_type(*one.type) + "& " + parameter_name(one.name));
  return out;
}

std::string tuple_of(const std::vector<const model::Type*>& results) {
  std::vector<std::string> types;
  for (const model::Type* type : results) types.push_back(cpp_type(*type));
  return "std::tuple<" + join(types, ", ") + ">";
}

// The function that makes the call, for both forms.
std::string maker(const Interface& decl, const AsyncForm& names) {
  return "_async_" + decl.name + names.sendc.substr(5);
}

void define_maker(Text& out, const Context& context, const Interface& decl, const Form& form) {
  const std::string& gen = context.names.gen;
  const AsyncParts parts(form.call, gen);
  const std::string results = tuple_of(parts.results);
  std::vector<std::string> parameters = parts.parameters;
  parameters.insert(parameters.begin(), qualified(decl) + "& self");
  std::vector<std::string> get;
  for (std::size_t i = 0; i < parts.results.size(); ++i) {
    get.push_back(get_statement(*parts.results[i], "std::get<" + std::to_string(i) + ">(_results)", gen));
  }
  out.gap();
  out.list(gen + "::MadeCall<" + results + "> " + maker(decl, form.names) + "(", parameters, ") {");
  out.indent();
  write_operation(out, form.call, !parts.put.empty(), gen);
  out.line("return " + gen + "::make_call<" + results + ">(");
  out.indent();
  out.indent();
  out.line("self, operation,");
  write_lambda(out,
               "[" + join(parts.captures, ", ") + "](" + context.names.writer + "&" +
                   (parts.put.empty() ? ")" : " out)"),
               parts.put, ",");
  if (get.empty()) {
    out.line("nullptr);");
  } else {
    write_lambda(out, "[](" + context.names.reader + "& in, " + results + "& _results)", get, ");");
  }
  out.outdent();
  out.outdent();
  out.outdent();
  out.line("}");
}

std::string made_by(const Interface& decl, const Form& form) {
  std::vector<std::string> arguments{"*this"};
  for (const model::Parameter& one : form.call.parameters) {
    if (one.direction == model::Direction::Out) continue;
    const std::string name = parameter_name(one.name);
    arguments.push_back(is_reference(*one.type) ? "std::move(" + name + ")" : name);
  }
  return maker(decl, form.names) + "(" + join(arguments, ", ") + ")";
}

void define_senders(Text& out, const Context& context, const Interface& decl, const Form& form) {
  const std::string& gen = context.names.gen;
  const std::string handler = qualified(*decl.handler);
  const std::vector<std::string> members{"&" + handler + "::" + escaped(form.names.reply->name),
                                         "&" + handler + "::" + escaped(form.names.excep->name)};
  out.gap();
  out.list("void " + in_namespace(decl) + "::" + form.names.sendc + "(", with_handler(decl, form.call),
           ") {");
  out.indent();
  out.list(gen + "::send(",
           {made_by(decl, form), "std::move(" + handler_name(form.call) + ")", members[0], members[1]}, ");");
  out.outdent();
  out.line("}");
  out.gap();
  out.list(poller_reference(decl) + " " + in_namespace(decl) + "::" + form.names.sendp + "(",
           in_parameters(form.call), ") {");
  out.indent();
  out.list("return " + gen + "::send_polled<" + poller_class(decl) + ">(",
           {made_by(decl, form), "*this", members[0], members[1]}, ");");
  out.outdent();
  out.line("}");
}

void define_poll(Text& out, const Context& context, const Interface& decl, const Form& form) {
  const model::Operation& reply = *form.names.reply;
  std::vector<std::string> arguments{"*this", "\"" + form.call.wire + "\"", timeout_name(reply)};
  for (const model::Parameter& one : reply.parameters) arguments.push_back(parameter_name(one.name));
  out.gap();
  out.list("void " + decl.poller + "::" + escaped(reply.name) + "(", poll_parameters(reply), ") {");
  out.indent();
  out.list(context.names.gen + "::poll(", arguments, ");");
  out.outdent();
  out.line("}");
}

}  // namespace

void declare_implied_names(Text& out, const Interface& decl) {
  out.line("class " + escaped(decl.handler->name) + ";");
  out.line("class " + decl.poller + ";");
}

void declare_senders(Text& out, const Interface& decl) {
  const std::vector<Form> forms = forms_of(decl);
  if (forms.empty()) return;
  out.gap();
  for (const Form& form : forms) {
    out.list("void " + form.names.sendc + "(", with_handler(decl, form.call), ");");
    out.list(poller_reference(decl) + " " + form.names.sendp + "(", in_parameters(form.call), ");");
  }
}

void declare_poller(Text& out, const Context& context, const Interface& decl) {
  std::vector<std::string> bases;
  for (const Interface* base : decl.bases) {
    if (base->handler != nullptr) bases.push_back("public virtual " + poller_class(*base));
  }
  if (bases.empty()) bases.push_back("public virtual ::Messaging::Poller");
  out.gap();
  out.line("// " + place(context.program, decl));
  out.list("class " + decl.poller + " : ", bases, decl.async.empty() ? " {};" : " {");
  if (decl.async.empty()) return;
  out.line("public:");
  out.indent();
  for (const AsyncForm& form : decl.async)
    out.list("void " + escaped(form.reply->name) + "(", poll_parameters(*form.reply), ");");
  out.outdent();
  out.line("};");
}

void define_async_operations(Text& out, const Context& context, const Interface& decl) {
  const std::vector<Form> forms = forms_of(decl);
  if (forms.empty()) return;
  out.gap();
  out.line("// " + place(context.program, decl) + ", without waiting");
  out.line("namespace {");
  for (const Form& form : forms) define_maker(out, context, decl, form);
  out.gap();
  out.line("}  // namespace");
  for (const Form& form : forms) define_senders(out, context, decl, form);
  for (const Form& form : forms) define_poll(out, context, decl, form);
  out.gap();
}

std::string with_exceptions(const Call& call, const std::string& argument, const std::string& gen) {
  const auto* operation = model::as<model::Operation>(call.decl);
  if (operation == nullptr || operation->held.empty()) return argument;
  std::vector<std::string> exceptions;
  for (const model::Exception* one : operation->held) exceptions.push_back(qualified(*one));
  return gen + "::raising<" + join(exceptions, ", ") + ">(" + argument + ")";
}

}  // namespace tenon::idl::cpp
