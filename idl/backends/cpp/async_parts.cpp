// SPDX-License-Identifier: Apache-2.0
#include "idl/backends/cpp/async_parts.hpp"

namespace tenon::idl::cpp {

using model::Direction;

AsyncParts::AsyncParts(const Call& call, const std::string& gen) {
  if (call.result != nullptr) results.push_back(call.result);
  for (const model::Parameter& parameter : call.parameters) {
    if (parameter.direction != Direction::In) results.push_back(parameter.type);
    if (parameter.direction == Direction::Out) continue;
    const std::string name = parameter_name(parameter.name);
    parameters.push_back(cpp_type(*parameter.type) + " " + name);
    names.push_back(name);
    captures.push_back(is_scalar(*parameter.type) ? name : name + " = std::move(" + name + ")");
    put.push_back(put_statement(*parameter.type, name, gen));
  }
}

void write_lambda(Text& out, const std::string& head, const std::vector<std::string>& body,
                  const std::string& end) {
  out.line(head + " {");
  out.indent();
  for (const std::string& statement : body) out.line(statement);
  out.outdent();
  out.line("}" + end);
}

}  // namespace tenon::idl::cpp
