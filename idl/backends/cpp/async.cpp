// SPDX-License-Identifier: Apache-2.0
//
// Calls that are not waited for: a class per interface whose functions take in and inout parameters by value and give a
// tenon::Reply of the results. Inherited operations are repeated, so that the classes have no bases.
#include "idl/backends/cpp/async_parts.hpp"

namespace tenon::idl::cpp {

namespace {

constexpr const char* engine = "::tenon::gen";

std::string reply_type(const std::vector<const model::Type*>& results) {
  if (results.empty()) return "void";
  if (results.size() == 1) return cpp_type(*results.front());
  std::vector<std::string> types;
  for (const model::Type* type : results) types.push_back(cpp_type(*type));
  return "std::tuple<" + join(types, ", ") + ">";
}

void declare_call(Text& out, const Call& call) {
  const AsyncParts parts(call, engine);
  if (call.oneway) {
    out.list("void " + call.name + "(", parts.parameters, ") const {");
    out.indent();
    out.list("_object->" + call.name + "(", parts.names, ");");
    out.outdent();
    return out.line("}");
  }
  const std::vector<const model::Type*>& results = parts.results;
  const std::string type = reply_type(results);
  std::vector<std::string> get;
  for (std::size_t i = 0; i < results.size(); ++i) {
    const std::string place =
        results.size() == 1 ? std::string("_results") : "std::get<" + std::to_string(i) + ">(_results)";
    get.push_back(get_statement(*results[i], place, engine));
  }
  out.list("::tenon::Reply<" + type + "> " + call.name + "(", parts.parameters, ") const {");
  out.indent();
  write_operation(out, call, !parts.put.empty(), engine);
  out.line(std::string("return ") + engine + "::start_call<" + type + ">(");
  out.indent();
  out.indent();
  out.line("*_object, operation,");
  write_lambda(
      out, "[" + join(parts.captures, ", ") + "](::tenon::cdr::Writer&" + (parts.put.empty() ? ")" : " out)"),
      parts.put, ",");
  if (get.empty()) {
    out.line("nullptr);");
  } else {
    write_lambda(out, "[](::tenon::cdr::Reader& in, " + type + "& _results)", get, ");");
  }
  out.outdent();
  out.outdent();
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
