// SPDX-License-Identifier: Apache-2.0
//
// Interfaces on the client's side (IDL to C++11 1.6 §6.7): a class whose virtual functions call over the ORB. A local interface is
// an abstract class that the application implements.
#include <algorithm>
#include <map>

#include "idl/backends/cpp/emit.hpp"
#include "idl/backends/cpp/operation_numbers.hpp"
#include "idl/backends/cpp/stub_kinds.hpp"
#include "idl/backends/cpp/tables.hpp"

namespace tenon::idl::cpp {

using model::Direction;
using model::Interface;

namespace {

std::string declared(const model::Parameter& parameter, bool as_view) {
  const std::string type = as_view                                ? view_type(*parameter.type)
                           : parameter.direction == Direction::In ? in_type(*parameter.type)
                                                                  : cpp_type(*parameter.type) + "&";
  return type + " " + parameter_name(parameter.name);
}

}  // namespace

std::vector<std::string> Call::cpp_parameters() const {
  std::vector<std::string> out;
  for (const model::Parameter& parameter : parameters)
    out.push_back(declared(parameter, is_sent_from_span(parameter)));
  return out;
}

std::vector<std::string> Call::servant_parameters() const {
  std::vector<std::string> out;
  for (const model::Parameter& parameter : parameters)
    out.push_back(declared(parameter, model::is_view(parameter)));
  return out;
}

bool Call::has_views() const { return std::any_of(parameters.begin(), parameters.end(), model::is_view); }

std::vector<std::string> Call::arguments() const {
  std::vector<std::string> out;
  for (const model::Parameter& parameter : parameters) out.push_back(parameter_name(parameter.name));
  return out;
}

std::string Call::result_type() const { return result != nullptr ? cpp_type(*result) : "void"; }

namespace {

void add_call(std::vector<Call>& calls, const Interface* owner, const model::Decl& decl) {
  if (const auto* operation = model::as<model::Operation>(&decl)) {
    Call call;
    call.name = escaped(decl.name);
    call.wire = decl.name;
    call.upcall = "_upcall_" + decl.name;
    call.result = operation->result->kind == model::TypeKind::Void ? nullptr : operation->result;
    call.parameters = operation->parameters;
    call.raises = &operation->raises;
    call.oneway = operation->oneway;
    call.owner = owner;
    call.decl = &decl;
    calls.push_back(std::move(call));
  } else if (const auto* attribute = model::as<model::Attribute>(&decl)) {
    Call get;
    get.name = escaped(decl.name);
    get.wire = "_get_" + decl.name;
    get.upcall = "_getter_" + decl.name;
    get.result = attribute->type;
    get.raises = &attribute->get_raises;
    get.owner = owner;
    get.decl = &decl;
    calls.push_back(get);
    if (attribute->readonly) return;
    Call set;
    set.name = get.name;
    set.wire = "_set_" + decl.name;
    set.upcall = "_setter_" + decl.name;
    model::Parameter value;
    value.name = "value";
    value.type = attribute->type;
    set.parameters.push_back(std::move(value));
    set.raises = &attribute->set_raises;
    set.owner = owner;
    set.decl = &decl;
    calls.push_back(std::move(set));
  }
}

}  // namespace

std::vector<Call> calls_in(const std::vector<const model::Decl*>& decls, const Interface* owner) {
  std::vector<Call> calls;
  for (const model::Decl* decl : decls) add_call(calls, owner, *decl);
  return calls;
}

std::vector<const Interface*> class_bases(const Interface& decl) {
  if (decl.local) return decl.bases;
  std::vector<const Interface*> bases;
  std::copy_if(decl.bases.begin(), decl.bases.end(), std::back_inserter(bases), [](const Interface* base) {
    return !base->provided_by_orb || base->scoped_name == "::Messaging::ReplyHandler";
  });
  return bases;
}

namespace {

// Which class declares the operations of a provided interface whose class in the ORB cannot be a base: the first class below it. If
// several such classes are bases of one class, that one declares them again, or a call would be ambiguous.
const Interface* owner_of_provided(const Interface& decl, const Interface& provided) {
  std::map<const Interface*, const Interface*> owners;
  const auto add = [&](const Interface& one) {
    if (std::find(one.all_bases.begin(), one.all_bases.end(), &provided) == one.all_bases.end()) return;
    const Interface* owner = nullptr;
    for (const Interface* base : one.bases) {
      const auto above = owners.find(base);
      if (above == owners.end()) continue;
      owner = owner == nullptr || owner == above->second ? above->second : &one;
    }
    owners[&one] = owner != nullptr ? owner : &one;
  };
  for (const Interface* base : decl.all_bases) {
    if (!base->provided_by_orb) add(*base);
  }
  add(decl);
  return owners.at(&decl);
}

}  // namespace

std::vector<Call> own_calls(const Interface& decl) {
  std::vector<Call> calls;
  for (const Interface* base : decl.all_bases) {
    if (decl.local || !base->provided_by_orb || base->contents.empty()) continue;
    if (owner_of_provided(decl, *base) != &decl) continue;
    const std::size_t first = calls.size();
    for (const model::Decl* item : base->contents) add_call(calls, &decl, *item);
    const bool joins = std::any_of(decl.all_bases.begin(), decl.all_bases.end(), [&](const Interface* other) {
      return std::find(other->all_bases.begin(), other->all_bases.end(), base) != other->all_bases.end();
    });
    for (std::size_t i = first; i < calls.size(); ++i) calls[i].joins = joins;
  }
  for (const model::Decl* item : decl.contents) add_call(calls, &decl, *item);
  return calls;
}

std::vector<Call> all_calls(const Interface& decl) {
  std::vector<Call> calls;
  for (const Interface* base : decl.all_bases) {
    if (base->provided_by_orb) continue;
    std::vector<Call> more = own_calls(*base);
    calls.insert(calls.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
  }
  std::vector<Call> own = own_calls(decl);
  calls.insert(calls.end(), std::make_move_iterator(own.begin()), std::make_move_iterator(own.end()));
  // among several of one name, the last one belongs to the joining class
  std::map<std::string, std::size_t> last;
  for (std::size_t i = 0; i < calls.size(); ++i) last[calls[i].wire] = i;
  std::size_t place = 0;
  std::erase_if(calls, [&](const Call& call) {
    const std::size_t here = place++;
    return last[call.wire] != here;
  });
  return calls;
}

namespace {

/// Bases that are local interfaces of the program's IDL declare their ids themselves.
void declare_local_ids(Text& out, const Interface& decl) {
  std::vector<std::string> ids{"_static_id"};
  for (const Interface* base : decl.all_bases) {
    if (!base->local || base->provided_by_orb) ids.push_back('"' + base->repository_id + '"');
  }
  out.gap();
  out.line("private:");
  out.indent();
  out.list("static constexpr std::string_view _local_ids[] = {", ids, "};");
  out.line("::tenon::gen::LocalIds _answers{*this, _local_ids};");
  out.outdent();
}

}  // namespace

void declare_interface(Text& out, const Context& context, const Interface& decl) {
  const std::string name = escaped(decl.name);
  std::vector<std::string> bases;
  for (const Interface* base : class_bases(decl)) bases.push_back("public virtual " + qualified(*base));
  if (decl.local) {
    bases.push_back("public virtual ::CORBA::LocalObject");
  } else if (bases.empty()) {
    bases.push_back("public virtual ::CORBA::Object");
    if (decl.abstract) bases.push_back("public virtual ::CORBA::AbstractBase");
  }
  out.list("class " + name + " : ", bases, " {");
  out.line("public:");
  out.indent();
  out.line("static constexpr std::string_view _static_id = \"" + decl.repository_id + "\";");
  for (const model::Decl* item : decl.contents) {
    if (item->kind != model::DeclKind::Operation && item->kind != model::DeclKind::Attribute)
      declare(out, context, *item);
  }
  out.gap();
  if (decl.local) {
    out.outdent();
    out.gap();
    out.line("protected:");
    out.indent();
    out.line(name + "() = default;");
    out.outdent();
    out.gap();
    out.line("public:");
    out.indent();
  } else {
    out.line(name + "() = default;");
    // For size: this and what adjusts the address for each base are a quarter of a small interface's code.
    out.line("[[gnu::cold]] ~" + name + "() override = default;");
  }
  // operations that a local interface inherits from a remote one would be calls over the ORB; the application must implement them, too
  for (const Call& call : decl.local ? all_calls(decl) : own_calls(decl)) {
    if (decl.local && call.owner != &decl && call.owner->local) continue;
    out.list((call.joins ? "" : "virtual ") + call.result_type() + " " + call.name + "(",
             call.cpp_parameters(),
             decl.local   ? ") = 0;"
             : call.joins ? ") override;"
                          : ");");
  }
  if (decl.handler != nullptr) declare_senders(out, decl);
  if (decl.handles != nullptr && has_async_operations(*decl.handles)) {
    out.gap();
    out.line("static const ::tenon::gen::AsyncInterface _calls;");
  }
  out.outdent();
  if (decl.local) declare_local_ids(out, decl);
  out.line("};");
}

void declare_traits(Text& out, const Interface& decl) {
  out.gap();
  out.add("template <>\nstruct IDL::traits<$type$> : ::tenon::gen::$base$<$type$> {};",
          {{"type", qualified(decl)}, {"base", decl.local ? "LocalInterfaceTraits" : "InterfaceTraits"}});
  if (decl.handler != nullptr) declare_value_traits(out, poller_class(decl), "void", "void");
}

// --- stubs ---

void write_operation(Text& out, const Call& call, bool has_arguments, const std::string& gen,
                     const std::string& number) {
  std::string constant = ".name = \"" + call.wire + "\"";
  if (call.oneway) constant += ", .kind = " + gen + "::Kind::oneway";
  if (!has_arguments) constant += ", .has_arguments = false";
  if (!call.raises->empty()) {
    std::vector<std::string> entries;
    for (const model::Exception* exception : *call.raises)
      entries.push_back(gen + "::raises<" + qualified(*exception) + ">");
    out.list("static constexpr " + gen + "::Raises raises[] = {", entries, "};");
    constant += ", .raises = raises";
  }
  // g++ aligns constants of 32 octets and more to 32 octets, unless told otherwise.
  const std::string head = "alignas(void*) static constexpr " + gen;
  if (number.empty()) return out.line(head + "::Operation operation{" + constant + "};");
  out.list(head + "::NumberedOperation operation{", {"{" + constant + "}", number}, "};");
}

namespace {

// A lambda that is one line when it fits.
void define_lambda(Text& out, const std::string& name, const std::string& parameter,
                   const std::vector<std::string>& body) {
  const std::string head = "const auto " + name + " = [&](" + parameter + ") {";
  if (body.size() == 1 && head.size() + body.front().size() + 8 <= Text::widest) {
    return out.line(head + " " + body.front() + " };");
  }
  out.line(head);
  out.indent();
  for (const std::string& statement : body) out.line(statement);
  out.outdent();
  out.line("};");
}

void define_operation(Text& out, const Context& context, const Interface& decl, const Call& call,
                      const std::string& number) {
  const std::string& gen = context.names.gen;
  std::vector<std::string> put;
  std::vector<std::string> get;
  if (call.result != nullptr) get.push_back(get_statement(*call.result, "_result", gen));
  for (const model::Parameter& parameter : call.parameters) {
    const std::string name = parameter_name(parameter.name);
    if (is_sent_from_span(parameter)) {
      put.push_back(view_codec(*parameter.type, gen) + "::put(out, " + name + ");");
    } else if (parameter.direction != Direction::Out) {
      put.push_back(put_statement(*parameter.type, name, gen));
    }
    if (parameter.direction != Direction::In) get.push_back(get_statement(*parameter.type, name, gen));
  }

  out.list(call.result_type() + " " + in_namespace(decl) + "::" + call.name + "(", call.cpp_parameters(),
           ") {");
  out.indent();
  write_operation(out, call, !put.empty(), gen, number);
  if (call.result != nullptr) out.line(call.result_type() + " _result{};");
  if (!put.empty()) define_lambda(out, "put", context.names.writer + "& out", put);
  if (!get.empty()) define_lambda(out, "get", context.names.reader + "& in", get);
  // As gen::call(), without a function in between.
  out.line(gen + (number.empty() ? "::call_ways.call" : "::call_ways.numbered_call") + "(*this, operation, " +
           (put.empty() ? gen + "::put_nothing" : "put") + ", " +
           (get.empty() ? gen + "::get_nothing" : "get") + ");");
  if (call.result != nullptr) out.line("return _result;");
  out.outdent();
  out.line("}");
  out.gap();
}

// One array of addresses, one call.
void define_interpreted(Text& out, const Context& context, const Interface& decl, const Call& call) {
  const std::string& gen = context.names.gen;
  std::vector<std::string> addresses;
  if (call.result != nullptr) addresses.emplace_back("nullptr");
  for (const model::Parameter& parameter : call.parameters)
    addresses.push_back("&" + parameter_name(parameter.name));
  out.list(call.result_type() + " " + in_namespace(decl) + "::" + call.name + "(", call.cpp_parameters(),
           ") {");
  out.indent();
  if (!addresses.empty()) {
    out.list(std::string("const void* ") + (call.result == nullptr ? "const " : "") + "_values[] = {",
             addresses, "};");
  }
  const std::string function = call.result != nullptr
                                   ? "return " + gen + "::interpret_result<" + call.result_type() + ">"
                                   : gen + "::interpret";
  out.line(function + "(*this, " + gen + "::" + context.tables->name() + "::file, " +
           std::to_string(context.tables->operation(call)) + ", " +
           (addresses.empty() ? "nullptr" : "_values") + ");");
  out.outdent();
  out.line("}");
  out.gap();
}

}  // namespace

void define_stub(Text& out, const Context& context, const Interface& decl) {
  if (decl.local || decl.handles != nullptr) return;
  const std::vector<Call> calls = own_calls(decl);
  if (calls.empty()) return;
  out.gap();
  out.line("// " + place(context.program, decl));
  const bool numbered = context.options.operations == Operations::index;
  const std::uint64_t interface = numbered ? fingerprint(decl) : 0;
  for (std::size_t i = 0; i < calls.size(); ++i) {
    if (context.kinds.interpreted(calls[i])) {
      define_interpreted(out, context, decl, calls[i]);
    } else {
      define_operation(out, context, decl, calls[i], numbered ? operation_number(interface, i) : "");
    }
  }
}

}  // namespace tenon::idl::cpp
