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

bool has_interpreted_calls(const Context& context, const Interface& decl) {
  const std::vector<Call> calls = own_calls(decl);
  return std::any_of(calls.begin(), calls.end(),
                     [&](const Call& call) { return context.kinds.interpreted(call); });
}

// Those whose skeletons find operations.
std::vector<const Interface*> dispatching_bases(const Interface& decl) {
  std::vector<const Interface*> bases = class_bases(decl);
  std::erase_if(bases, [](const Interface* base) { return all_calls(*base).empty(); });
  return bases;
}

// Where an operation is looked for, in order: own ones first, then those of the bases.
std::vector<std::string> dispatch_steps(const Context& context, const Interface& decl) {
  const std::string& gen = context.names.gen;
  std::vector<std::string> steps;
  if (is_reply_handler(decl))
    steps.push_back(gen + "::dispatch_reply(" + qualified(decl) + "::_calls, call, self, &_run)");
  if (std::string step = operation_step(context, decl); !step.empty()) steps.push_back(std::move(step));
  if (has_interpreted_calls(context, decl)) {
    steps.push_back(gen + "::interpret(" + gen + "::" + context.tables->name() + "::file, " +
                    std::to_string(context.tables->interface(decl)) + ", call, self, &_run)");
  }
  for (const Interface* base : dispatching_bases(decl))
    steps.push_back(gen + "::dispatch_inherited<" + skeleton_path(*base) + ">(servant, call)");
  return steps;
}

// Whether the skeleton is what a table says, without a function of its own that finds operations.
bool is_data_only(const Context& context, const Interface& decl) {
  return !is_reply_handler(decl) && has_interpreted_calls(context, decl) &&
         operation_step(context, decl).empty() && dispatching_bases(decl).empty();
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
    const std::string line = head + join(call.servant_parameters(), ", ") + ") override { " + body + " }";
    if (line.size() + 2 <= Text::widest) {
      out.line(line);
      continue;
    }
    out.list(head, call.servant_parameters(), ") override {");
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
             call.servant_parameters(), call.joins ? ") override = 0;" : ") = 0;");
  }
  out.gap();
  // Inline, or every servant's object would have tables of virtual functions of the skeleton alone, which no object ever has.
  out.add(R"(::CORBA::object_reference<$type$> _this() {
  return ::tenon::gen::servant_reference<$type$>(*this);
}

[[gnu::always_inline]] $name$() noexcept { _serve(_skeleton, this); }
[[gnu::always_inline]] ~$name$() override = default;
static const ::tenon::gen::$kind$ _skeleton;)",
          {{"type", qualified(decl)},
           {"name", name},
           {"kind", is_data_only(context, decl) ? "InterpretedSkeleton" : "Skeleton"}});
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
  const bool dispatches = !dispatch_steps(context, decl).empty() && !is_data_only(context, decl);
  const bool numbered = is_numbered(context, decl);
  if (runs || dispatches || numbered) {
    out.gap();
    out.line("private:");
    out.indent();
    if (dispatches)
      out.line(
          "static bool _dispatch(void* self, ::tenon::gen::Upcall& call, const ::tenon::gen::Skeleton&);");
    if (runs) out.line("[[gnu::cold]] static void _run(void* self, unsigned number, void* const* values);");
    if (numbered) {
      out.line("static const ::tenon::gen::InterfaceNumbers _interfaces[];");
      out.line("static const ::tenon::gen::Numbering _numbering;");
    }
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
  const char* const what = model::is_view(parameter) ? ".elements()" : is_kept(parameter) ? ".value()" : "";
  return parameter_name(parameter.name) + what;
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
    if (model::is_view(parameter)) {
      out.line("const " + view_codec(*parameter.type, gen) + " " + variable + "(in);");
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

void define_dispatch(Text& out, const Context& context, const Interface& decl) {
  const std::vector<std::string> steps = dispatch_steps(context, decl);
  const std::string& gen = context.names.gen;
  const std::string name = skeleton_name(decl);
  out.line("bool " + name + "::_dispatch(void* self, " + gen + "::Upcall& call, const " + gen +
           "::Skeleton&) {");
  out.indent();
  if (!operation_step(context, decl).empty() || !dispatching_bases(decl).empty())
    out.line("auto& servant = *static_cast<" + name + "*>(self);");
  define_operation_table(out, context, decl);
  for (std::size_t i = 0; i < steps.size(); ++i) {
    out.line((i == 0 ? "return " : "       ") + steps[i] + (i + 1 == steps.size() ? ";" : " ||"));
  }
  out.outdent();
  out.line("}");
  out.gap();
}

// The skeleton as data. One literal for all ids rather than pointers, so that the dynamic loader has little to relocate.
void define_description(Text& out, const Context& context, const Interface& decl) {
  const std::string& gen = context.names.gen;
  const std::string name = skeleton_name(decl);
  const bool numbered = is_numbered(context, decl);
  if (numbered) define_numbering(out, context, decl);
  std::vector<std::string> ids{decl.repository_id};
  for (auto base = decl.all_bases.rbegin(); base != decl.all_bases.rend(); ++base)
    ids.push_back((*base)->repository_id);
  ids.push_back("IDL:omg.org/CORBA/Object:1.0");
  const bool data_only = is_data_only(context, decl);
  const std::string type = gen + (data_only ? "::InterpretedSkeleton " : "::Skeleton ");
  out.line("constinit const " + type + name + "::_skeleton{" + (data_only ? "{" : ""));
  out.indent();
  out.indent();
  for (const std::string& id : ids) out.line('"' + id + "\\0\"" + (&id == &ids.back() ? "," : ""));
  // An heir without numbers understands those of its only base.
  const std::vector<const Interface*> bases = dispatching_bases(decl);
  const bool heir = !numbered && class_bases(decl).size() == 1 && !bases.empty() && decl.handles == nullptr;
  const std::string dispatch = data_only                               ? gen + "::dispatch_interpreted"
                               : dispatch_steps(context, decl).empty() ? gen + "::dispatch_nothing"
                                                                       : "_dispatch";
  std::vector<std::string> rest{numbered ? "&_numbering" : "nullptr",
                                heir ? "&" + skeleton_path(*bases.front()) + "::_skeleton" : "nullptr",
                                "&" + dispatch + (data_only ? "}" : "")};
  if (data_only) {
    rest.push_back(gen + "::" + context.tables->name() + "::file");
    rest.push_back(std::to_string(context.tables->interface(decl)));
    rest.push_back("&_run");
  }
  out.list("", rest, "};");
  out.outdent();
  out.outdent();
}

}  // namespace

void define_skeleton(Text& out, const Context& context, const Interface& decl) {
  out.gap();
  out.line("// " + place(context.program, decl));
  const std::vector<Call> calls = own_calls(decl);
  for (const Call& call : calls) {
    if (context.kinds.interpreted(call) || decl.handles != nullptr) continue;
    define_upcall(out, context, decl, call);
    out.gap();
  }
  if (is_reply_handler(decl)) {
    define_reply_run(out, context, *decl.handles);
    out.gap();
  }
  if (has_interpreted_calls(context, decl)) {
    define_run(out, context, decl, calls);
    out.gap();
  }
  if (!dispatch_steps(context, decl).empty() && !is_data_only(context, decl))
    define_dispatch(out, context, decl);
  define_description(out, context, decl);
}

}  // namespace tenon::idl::cpp
