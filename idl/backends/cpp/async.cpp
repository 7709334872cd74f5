// SPDX-License-Identifier: Apache-2.0
//
// Asynchronous calls: a class per interface whose functions take in and inout parameters and return a
// tenon::Reply of the results. Inherited operations are repeated, so that the classes have no bases.
#include "idl/backends/cpp/async_parts.hpp"

namespace tenon::idl::cpp {

namespace {

std::string reply_type(const std::vector<const model::Type*>& results) {
  if (results.empty()) return "void";
  if (results.size() == 1) return cpp_type(*results.front());
  std::vector<std::string> types;
  for (const model::Type* type : results) types.push_back(cpp_type(*type));
  return "std::tuple<" + join(types, ", ") + ">";
}

void declare_call(Text& out, const Call& call) {
  std::vector<const model::Type*> results;
  if (call.result != nullptr) results.push_back(call.result);
  for (const model::Parameter& one : call.parameters) {
    if (one.direction != model::Direction::In) results.push_back(one.type);
  }
  const std::string type = reply_type(results);
  out.list((call.oneway ? "void " : "::tenon::Reply<" + type + "> ") + call.name + "(", in_parameters(call),
           ") const {");
  out.indent();
  if (call.oneway) {
    out.list("_object->" + call.name + "(", in_names(call), ");");
  } else {
    const std::string values = declare_addresses(out, "const void* const", in_names(call));
    out.list("return ::tenon::gen::start_call<" + type + ">(", {"*_object", constants_of(call), values},
             ");");
  }
  out.outdent();
  out.line("}");
}

}  // namespace

void declare_async(Text& out, const Context& context, const model::Interface& decl) {
  const std::string name = decl.name + "_async";
  out.gap();
  out.line("// " + place(context.program, decl));
  out.line("class " + name + " {");
  out.line("public:");
  out.indent();
  out.line("explicit " + name + "(::CORBA::object_reference<" + qualified(decl) +
           "> object) : _object(std::move(object)) {}");
  for (const Call& call : all_calls(decl)) {
    out.gap();
    declare_call(out, call);
  }
  out.outdent();
  out.gap();
  out.line("private:");
  out.indent();
  out.line("::CORBA::object_reference<" + qualified(decl) + "> _object;");
  out.outdent();
  out.line("};");
}

void declare_async_traits(Text& out, const model::Interface& decl) {
  std::string name = qualified(decl);
  const std::size_t colon = name.rfind(':');
  name = name.substr(0, colon + 1) + decl.name + "_async";
  out.gap();
  out.add("template <>\nstruct tenon::gen::AsyncOf<$type$> {\n  using type = $async$;\n};",
          {{"type", qualified(decl)}, {"async", name}});
}

}  // namespace tenon::idl::cpp
