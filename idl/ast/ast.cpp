// SPDX-License-Identifier: Apache-2.0
#include "idl/ast/ast.hpp"

namespace tenon::idl::ast {

std::string ScopedName::text() const {
  std::string out;
  for (const Name& part : parts) {
    if (!out.empty() || absolute) out += "::";
    out += part.text;
  }
  return out;
}

}  // namespace tenon::idl::ast
