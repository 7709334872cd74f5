// SPDX-License-Identifier: Apache-2.0
//
// Asynchronous calls as the standard's implied IDL has them (CORBA 3.4 part 1 §17.7 ff): sendc_ and sendp_ operations of an
// interface's class, and its poller. Reply handlers are interfaces of the model, which the usual functions emit.
#include <algorithm>

#include "idl/backends/cpp/async_parts.hpp"
#include "idl/backends/cpp/emit.hpp"
#include "idl/backends/cpp/kept.hpp"
#include "idl/backends/cpp/operation_slots.hpp"
#include "idl/backends/cpp/operation_tables.hpp"

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

}  // namespace

std::vector<std::string> in_parameters(const Call& call) {
  std::vector<std::string> out;
  for (const model::Parameter& one : call.parameters) {
    if (one.direction != model::Direction::Out)
      out.push_back(in_type(*one.type) + " " + parameter_name(one.name));
  }
  return out;
}

std::vector<std::string> in_names(const Call& call) {
  std::vector<std::string> out;
  for (const model::Parameter& one : call.parameters) {
    if (one.direction != model::Direction::Out) out.push_back(parameter_name(one.name));
  }
  return out;
}

std::string declare_addresses(Text& out, const char* type, const std::vector<std::string>& names) {
  if (names.empty()) return "nullptr";
  std::vector<std::string> addresses;
  for (const std::string& name : names) addresses.push_back("&" + name);
  out.list(std::string(type) + " _values[] = {", addresses, "};");
  return "_values";
}

std::string constants_of(const Call& call) {
  const std::vector<Form> forms = forms_of(*call.owner);
  const auto same = [&](const Form& form) { return form.call.wire == call.wire; };
  return qualified(*call.owner->handler) + "::_calls, " +
         std::to_string(std::ranges::find_if(forms, same) - forms.begin());
}

namespace {

std::string poller_reference(const Interface& decl) {
  return "::CORBA::valuetype_reference<" + poller_class(decl) + ">";
}

// A name for a parameter of ours that none of the IDL's parameters has.
std::string free_name(std::string name, const std::vector<model::Parameter>& beside) {
  while (std::any_of(beside.begin(), beside.end(), [&](const auto& one) { return one.name == name; }))
    name = "ami_" + name;
  return name;
}

std::string handler_name(const Call& call) { return free_name("ami_handler", call.parameters); }

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

// --- what the library is told of an interface's operations ---

// The name of a constant in the file's anonymous namespace.
std::string constant(const Interface& decl, const char* what) { return "_async_" + decl.name + "_" + what; }

std::string parameter_constant(const model::Type& type, bool sent, bool returned, const std::string& gen) {
  const std::string codec_name = codec(type, gen);
  const char* const way = sent ? (returned ? "::sent_and_returned<" : "::sent<") : "::returned<";
  return gen + way + codec_name + (returned && is_kept(type) ? ", " + gen + "::KeptTypeOf>" : ">");
}

std::vector<std::string> parameter_constants(const Call& call, const std::string& gen) {
  std::vector<std::string> all;
  if (call.result != nullptr) all.push_back(parameter_constant(*call.result, false, true, gen));
  for (const model::Parameter& one : call.parameters) {
    all.push_back(parameter_constant(*one.type, one.direction != model::Direction::Out,
                                     one.direction != model::Direction::In, gen));
  }
  return all;
}

// "{_async_Desk_raises + 2, 1}" of a constant array.
std::string part_of(const std::string& array, std::size_t first, std::size_t count) {
  return "{" + array + (first != 0 ? " + " + std::to_string(first) : "") + ", " + std::to_string(count) + "}";
}

void define_array(Text& out, const std::string& type, const std::string& name,
                  const std::vector<std::vector<std::string>>& lines) {
  if (std::all_of(lines.begin(), lines.end(), [](const auto& line) { return line.empty(); })) return;
  out.line("constexpr " + type + " " + name + "[] = {");
  out.indent();
  for (const std::vector<std::string>& line : lines) {
    if (!line.empty()) out.list("", line, ",");
  }
  out.outdent();
  out.line("};");
}

void define_constants(Text& out, const Context& context, const Interface& decl,
                      const std::vector<Form>& forms) {
  const std::string& gen = context.names.gen;
  std::vector<std::vector<std::string>> parameters;
  std::vector<std::vector<std::string>> raises;
  std::vector<std::vector<std::string>> operations;
  std::size_t first_parameter = 0;
  std::size_t first_raised = 0;
  for (const auto& [names, call] : forms) {
    parameters.push_back(parameter_constants(call, gen));
    raises.emplace_back();
    for (const model::Exception* one : *call.raises)
      raises.back().push_back(gen + "::raises<" + qualified(*one) + ">");
    std::string operation = ".name = \"" + call.wire + "\"";
    if (std::ranges::all_of(call.parameters,
                            [](const auto& one) { return one.direction == model::Direction::Out; }))
      operation += ", .has_arguments = false";
    if (!raises.back().empty())
      operation += ", .raises = " + part_of(constant(decl, "raises"), first_raised, raises.back().size());
    operations.push_back(
        {"{{" + operation + "}", "\"" + names.reply->name + "\"", "\"" + names.excep->name + "\"",
         (parameters.back().empty()
              ? "{}"
              : part_of(constant(decl, "parameters"), first_parameter, parameters.back().size())) +
             "}"});
    first_parameter += parameters.back().size();
    first_raised += raises.back().size();
  }
  define_array(out, gen + "::AsyncParameter", constant(decl, "parameters"), parameters);
  define_array(out, gen + "::Raises", constant(decl, "raises"), raises);
  define_array(out, gen + "::AsyncOperation", constant(decl, "operations"), operations);
}

// The operations of the handler in the order of their numbers: for each operation of the interface the one for its reply, then the one for
// its exceptions.
std::vector<Call> handler_calls(const Interface& decl, const std::vector<Form>& forms) {
  std::vector<Call> calls;
  const std::vector<Call> own = own_calls(*decl.handler);
  for (const Form& form : forms) {
    for (const model::Operation* each : {form.names.reply, form.names.excep}) {
      calls.push_back(*std::ranges::find_if(own, [&](const Call& call) { return call.decl == each; }));
    }
  }
  return calls;
}

void define_run_body(Text& out, const std::string& handler, const std::vector<Call>& calls,
                     const std::string& gen) {
  out.indent();
  out.line("auto& handler = *static_cast<" + handler + "*>(self);");
  out.line("switch (which) {");
  out.indent();
  std::size_t number = 0;
  for (const Call& call : calls) {
    std::vector<std::string> arguments;
    for (const model::Parameter& one : call.parameters) {
      const std::string value =
          gen + "::value<" + cpp_type(*one.type) + ">(values[" + std::to_string(arguments.size()) + "])";
      arguments.push_back(is_reference(*one.type) ? "std::move(" + value + ")" : value);
    }
    const std::string head = "case " + std::to_string(number++) + ": return handler." + call.name + "(";
    out.list(head, arguments, ");");
  }
  out.line("default: return;");
  out.outdent();
  out.line("}");
  out.outdent();
  out.line("}");
}

void define_calls(Text& out, const Context& context, const Interface& decl, const std::vector<Form>& forms) {
  const std::string& gen = context.names.gen;
  const std::string handler = qualified(*decl.handler);
  const std::vector<Call> calls = handler_calls(decl, forms);
  const OperationSlots hash = find_slots(calls);
  std::vector<std::string> slots;
  for (const std::uint16_t slot : hash.slots) slots.push_back(std::to_string(slot));
  out.gap();
  out.line("// " + place(context.program, decl) + ", without waiting");
  out.line("namespace {");
  define_constants(out, context, decl, forms);
  out.list("constexpr std::uint16_t " + constant(decl, "slots") + "[] = {", slots, "};");
  out.gap();
  out.line("void " + constant(decl, "run") +
           "(void* self, unsigned which, [[maybe_unused]] void* const* values) {");
  define_run_body(out, handler, calls, gen);
  out.gap();
  out.line("}  // namespace");
  out.gap();
  out.list(
      "constinit const " + gen + "::AsyncInterface " + in_namespace(*decl.handler) + "::_calls{",
      {constant(decl, "operations"), "&" + constant(decl, "run"),
       "&" + gen + "::narrow_handler<" + handler + ">", std::to_string(hash.seed), constant(decl, "slots")},
      "};");
}

// --- functions that end in the library ---

void define_senders(Text& out, const Context& context, const Interface& decl, const Form& form,
                    std::size_t number) {
  const std::string& gen = context.names.gen;
  const std::vector<std::string> names = in_names(form.call);
  out.gap();
  out.list("void " + in_namespace(decl) + "::" + form.names.sendc + "(", with_handler(decl, form.call),
           ") {");
  out.indent();
  std::string values = declare_addresses(out, "const void* const", names);
  out.line(gen + "::send(*this, " + std::to_string(number) + ", " + handler_name(form.call) + ", " + values +
           ");");
  out.outdent();
  out.line("}");
  out.gap();
  out.list(poller_reference(decl) + " " + in_namespace(decl) + "::" + form.names.sendp + "(",
           in_parameters(form.call), ") {");
  out.indent();
  values = declare_addresses(out, "const void* const", names);
  out.list("return " + gen + "::send_polled<" + qualified(*decl.handler) + ", " + poller_class(decl) + ">(",
           {"*this", std::to_string(number), values}, ");");
  out.outdent();
  out.line("}");
}

void define_poll(Text& out, const Context& context, const Interface& decl, const Form& form) {
  const model::Operation& reply = *form.names.reply;
  std::vector<std::string> names;
  for (const model::Parameter& one : reply.parameters) names.push_back(parameter_name(one.name));
  out.gap();
  out.list("void " + decl.poller + "::" + escaped(reply.name) + "(", poll_parameters(reply), ") {");
  out.indent();
  const std::string values = declare_addresses(out, "void* const", names);
  out.line(context.names.gen + "::poll(*this, \"" + form.call.wire + "\", " + timeout_name(reply) + ", " +
           values + ");");
  out.outdent();
  out.line("}");
}

void define_handler_stubs(Text& out, const Context& context, const Interface& decl,
                          const std::vector<Form>& forms) {
  std::size_t number = 0;
  for (const Call& call : handler_calls(decl, forms)) {
    out.gap();
    out.list("void " + in_namespace(*decl.handler) + "::" + call.name + "(", call.cpp_parameters(), ") {");
    out.indent();
    const bool excep = number % 2 != 0;
    const std::string told =
        excep ? call.arguments().front() : declare_addresses(out, "const void* const", call.arguments());
    out.line(context.names.gen + "::tell(*this, _calls, " + std::to_string(number++ / 2) + ", " + told +
             ");");
    out.outdent();
    out.line("}");
  }
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
  define_calls(out, context, decl, forms);
  for (std::size_t i = 0; i < forms.size(); ++i) define_senders(out, context, decl, forms[i], i);
  for (const Form& form : forms) define_poll(out, context, decl, form);
  define_handler_stubs(out, context, decl, forms);
  out.gap();
}

bool has_async_operations(const Interface& decl) { return !forms_of(decl).empty(); }

void define_reply_run(Text& out, const Context& context, const Interface& decl) {
  const std::string name = skeleton_name(*decl.handler);
  out.line("void " + name + "::_run(void* self, unsigned which, [[maybe_unused]] void* const* values) {");
  define_run_body(out, name, handler_calls(decl, forms_of(decl)), context.names.gen);
}

}  // namespace tenon::idl::cpp
