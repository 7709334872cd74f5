// SPDX-License-Identifier: Apache-2.0
//
// Interfaces on the server's side (IDL to C++11 1.6 §6.25): an abstract class that a servant derives from, the table that finds an
// operation by perfect hash, and a tie. Abstract interfaces get a skeleton too: those that inherit them need one.
#include <algorithm>
#include <utility>

#include "idl/backends/cpp/emit.hpp"
#include "idl/backends/cpp/kept.hpp"
#include "idl/backends/cpp/operation_numbers.hpp"
#include "idl/backends/cpp/operation_tables.hpp"
#include "idl/backends/cpp/stub_kinds.hpp"
#include "idl/backends/cpp/tables.hpp"

namespace tenon::idl::cpp {

using model::Direction;
using model::Interface;

namespace {

bool is_reply_handler(const Interface& decl) {
  return decl.handles != nullptr && has_async_operations(*decl.handles);
}

void declare_tie(Text& out, const Interface& decl) {
  const std::string name = escaped(decl.name) + "_tie";
  const std::string base = "::tenon::gen::Tie<" + skeleton_path(decl) + ", _tied>";
  out.gap();
  out.line("template <typename _tied>");  // no operation or parameter has that name
  out.line("class " + name + " : public " + base + " {");
  out.line("public:");
  out.indent();
  out.line("using " + base + "::Tie;");
  out.gap();
  for (const Call& call : all_calls(decl)) {
    const std::string give = call.result != nullptr ? "return " : "";
    const std::string head = call.result_type() + " " + call.name + "(";
    const std::string body =
        give + "this->_tied_object()->" + call.name + "(" + join(call.arguments(), ", ") + ");";
    const std::string line = head + join(call.cpp_parameters(), ", ") + ") override { " + body + " }";
    if (line.size() + 2 <= Text::widest) {
      out.line(line);
      continue;
    }
    out.list(head, call.cpp_parameters(), ") override {");
    out.indent();
    out.line(body);
    out.outdent();
    out.line("}");
  }
  out.outdent();
  out.line("};");
}

}  // namespace

void declare_skeleton(Text& out, const Context& context, const Interface& decl) {
  const std::string name = skeleton_name(decl);
  const std::vector<Call> calls = own_calls(decl);
  std::vector<std::string> bases;
  for (const Interface* base : class_bases(decl)) bases.push_back("public virtual " + skeleton_path(*base));
  if (bases.empty()) bases.push_back("public virtual ::PortableServer::Servant");
  out.gap();
  out.line("// " + place(context.program, decl));
  out.list("class " + name + " : ", bases, " {");
  out.line("public:");
  out.indent();
  out.line("using _interface = " + qualified(decl) + ";");
  out.gap();
  for (const Call& call : calls) {
    out.list((call.joins ? "" : "virtual ") + call.result_type() + " " + call.name + "(",
             call.cpp_parameters(), call.joins ? ") override = 0;" : ") = 0;");
  }
  out.gap();
  out.add(R"(::CORBA::object_reference<$type$> _this() {
  return ::tenon::gen::servant_reference<$type$>(*this);
}
::tenon::gen::Implemented _implemented() const noexcept override;)",
          {{"type", qualified(decl)}});
  out.gap();
  // whether one function runs all of the servant's methods
  bool runs = is_reply_handler(decl);
  for (const Call& call : calls) {
    if (context.kinds.interpreted(call)) {
      runs = true;
    } else if (decl.handles == nullptr) {
      out.line("static void " + call.upcall + "(" + name + "& self, ::tenon::gen::Upcall& call);");
    }
  }
  out.outdent();
  out.gap();
  out.line("protected:");
  out.indent();
  out.line("bool _dispatch(::tenon::gen::Upcall& call) override;");
  out.outdent();
  if (runs) {
    out.gap();
    out.line("private:");
    out.indent();
    out.line("[[gnu::cold]] static void _run(void* self, unsigned number, void* const* values);");
    out.outdent();
  }
  out.line("};");
  declare_tie(out, decl);
}

void declare_servant_traits(Text& out, const Interface& decl) {
  out.gap();
  const std::string tie = (decl.parent != nullptr ? qualified(*decl.parent) : std::string()) +
                          "::" + escaped(decl.name) + "_tie<_tied>";
  out.add(R"(template <>
struct CORBA::servant_traits<$type$> : ::tenon::gen::ServantTraits<$skeleton$> {
  template <typename _tied>
  using tie_type = $tie$;
};)",
          {{"type", qualified(decl)}, {"skeleton", skeleton_path(decl)}, {"tie", tie}});
}

// --- upcalls ---

namespace {

// A parameter in the frame of its upcall.
std::string frame_value(const model::Parameter& parameter) {
  return parameter_name(parameter.name) + (is_kept(parameter) ? ".value()" : "");
}

void define_upcall(Text& out, const Context& context, const Interface& decl, const Call& call) {
  const std::string& gen = context.names.gen;
  const std::string name = skeleton_name(decl);
  std::vector<std::string> results;
  if (call.result != nullptr) results.push_back(put_statement(*call.result, "_result", gen));
  bool reads = false;
  for (const model::Parameter& parameter : call.parameters) {
    reads |= parameter.direction != Direction::Out;
    if (parameter.direction != Direction::In) {
      results.push_back(put_statement(*parameter.type, frame_value(parameter), gen));
    }
  }

  out.line("void " + name + "::" + call.upcall + "(" + name + "& self, " + gen + "::Upcall& call) {");
  out.indent();
  if (reads) out.line(context.names.reader + "& in = call.arguments();");
  for (const model::Parameter& parameter : call.parameters) {
    const std::string variable = parameter_name(parameter.name);
    if (parameter.direction == Direction::In && is_plain(*parameter.type)) {
      out.line("const " + get_statement(*parameter.type, "auto " + variable, gen));
      continue;
    }
    if (is_kept(parameter)) {
      out.line("const " + gen + "::Kept<" + cpp_type(*parameter.type) + "> " + variable + ";");
    } else {
      out.line(cpp_type(*parameter.type) + " " + variable + "{" +
               (parameter.direction == Direction::Out ? initial(*parameter.type) : "") + "};");
    }
    if (parameter.direction != Direction::Out)
      out.line(get_statement(*parameter.type, frame_value(parameter), gen));
  }
  out.line("call.arguments_read();");
  std::vector<std::string> arguments;
  for (const model::Parameter& parameter : call.parameters) {
    const bool move = parameter.direction == Direction::In && is_reference(*parameter.type);
    const std::string variable = frame_value(parameter);
    arguments.push_back(move ? "std::move(" + variable + ")" : variable);
  }
  const std::string give = call.result != nullptr ? "const " + call.result_type() + " _result = " : "";
  out.list(give + "self." + call.name + "(", arguments, ");");
  if (results.empty()) {
    out.line("call.reply();");
  } else if (results.size() == 1 && results.front().size() + 45 <= Text::widest) {
    out.line("call.reply([&](" + context.names.writer + "& out) { " + results.front() + " });");
  } else {
    out.line("call.reply([&](" + context.names.writer + "& out) {");
    out.indent();
    for (const std::string& statement : results) out.line(statement);
    out.outdent();
    out.line("});");
  }
  out.outdent();
  out.line("}");
}

// Runs the servant's method for an interpreted operation, on parameters whose addresses are in `_values`.
void define_run(Text& out, const Context& context, const Interface& decl, const std::vector<Call>& calls) {
  const std::string& gen = context.names.gen;
  const std::string name = skeleton_name(decl);
  out.line("void " + name + "::_run(void* self, unsigned number, [[maybe_unused]] void* const* values) {");
  out.indent();
  out.line("auto& servant = *static_cast<" + name + "*>(self);");
  out.line("switch (number) {");
  out.indent();
  std::size_t number = 0;
  for (const Call& call : calls) {
    const std::string label = "case " + std::to_string(number++) + ": ";
    if (!context.kinds.interpreted(call)) continue;
    std::size_t place = call.result != nullptr ? 1 : 0;
    std::vector<std::string> arguments;
    for (const model::Parameter& parameter : call.parameters) {
      const std::string value =
          gen + "::value<" + cpp_type(*parameter.type) + ">(values[" + std::to_string(place++) + "])";
      const bool move = parameter.direction == Direction::In && is_reference(*parameter.type);
      arguments.push_back(move ? "std::move(" + value + ")" : value);
    }
    const std::string run = "servant." + call.name + "(";
    const std::string head =
        call.result != nullptr ? "::new (values[0]) " + call.result_type() + "(" + run : run;
    const std::string tail = call.result != nullptr ? "));" : ");";
    if (label.size() + head.size() + join(arguments, ", ").size() + tail.size() + 11 <= Text::widest) {
      out.line(label + head + join(arguments, ", ") + tail + " break;");
      continue;
    }
    out.line(label.substr(0, label.size() - 1));
    out.indent();
    out.list(head, arguments, tail);
    out.line("break;");
    out.outdent();
  }
  out.line("default: break;");
  out.outdent();
  out.line("}");
  out.outdent();
  out.line("}");
}

// Own operations first, then those of the bases.
void define_dispatch(Text& out, const Context& context, const Interface& decl) {
  const std::string& gen = context.names.gen;
  const std::string name = skeleton_name(decl);
  std::vector<std::string> steps;
  if (is_reply_handler(decl))
    steps.push_back(gen + "::dispatch_reply(" + qualified(decl) + "::_calls, call, this, &_run)");
  if (std::string step = operation_step(context, decl); !step.empty()) steps.push_back(std::move(step));
  const std::vector<Call> calls = own_calls(decl);
  const bool interpreted = std::any_of(calls.begin(), calls.end(),
                                       [&](const Call& call) { return context.kinds.interpreted(call); });
  if (interpreted) {
    steps.push_back(gen + "::interpret(" + gen + "::" + context.tables->name() + "::file, " +
                    std::to_string(context.tables->interface(decl)) + ", call, this, &_run)");
  }
  for (const Interface* base : class_bases(decl)) steps.push_back(skeleton_path(*base) + "::_dispatch(call)");
  out.gap();
  if (steps.empty()) {
    out.line("bool " + name + "::_dispatch(" + gen + "::Upcall&) { return false; }");
    return;
  }
  out.line("bool " + name + "::_dispatch(" + gen + "::Upcall& call) {");
  out.indent();
  define_operation_table(out, context, decl);
  for (std::size_t i = 0; i < steps.size(); ++i) {
    out.line((i == 0 ? "return " : "       ") + steps[i] + (i + 1 == steps.size() ? ";" : " ||"));
  }
  out.outdent();
  out.line("}");
}

// One literal for all ids rather than pointers, so that the dynamic loader has nothing to relocate.
void define_implemented(Text& out, const Context& context, const Interface& decl) {
  std::vector<std::string> ids{decl.repository_id};
  for (auto base = decl.all_bases.rbegin(); base != decl.all_bases.rend(); ++base)
    ids.push_back((*base)->repository_id);
  ids.push_back("IDL:omg.org/CORBA/Object:1.0");
  out.line(context.names.gen + "::Implemented " + skeleton_name(decl) + "::_implemented() const noexcept {");
  out.indent();
  std::string numbering = define_numbering(out, context, decl);
  // An heir without numbers understands those of its only base.
  const auto bases = class_bases(decl);
  if (numbering.empty() && bases.size() == 1 && decl.handles == nullptr)
    numbering = skeleton_path(*bases.front()) + "::_implemented().numbering";
  const std::string begin = "return {";
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const bool last = i + 1 == ids.size();
    out.line((i == 0 ? begin : std::string(begin.size(), ' ')) + '"' + ids[i] + "\\0\"" +
             (!last               ? ""
              : numbering.empty() ? "};"
                                  : ", " + numbering + "};"));
  }
  out.outdent();
  out.line("}");
}

}  // namespace

void define_skeleton(Text& out, const Context& context, const Interface& decl) {
  out.gap();
  out.line("// " + place(context.program, decl));
  const std::vector<Call> calls = own_calls(decl);
  const auto interpreted = [&](const Call& call) { return context.kinds.interpreted(call); };
  for (const Call& call : calls) {
    if (interpreted(call) || decl.handles != nullptr) continue;
    define_upcall(out, context, decl, call);
    out.gap();
  }
  if (is_reply_handler(decl)) {
    define_reply_run(out, context, *decl.handles);
    out.gap();
  }
  if (std::any_of(calls.begin(), calls.end(), interpreted)) {
    define_run(out, context, decl, calls);
    out.gap();
  }
  define_implemented(out, context, decl);
  define_dispatch(out, context, decl);
}

}  // namespace tenon::idl::cpp
