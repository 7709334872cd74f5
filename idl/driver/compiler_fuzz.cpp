// SPDX-License-Identifier: Apache-2.0
//
// Fuzz target: preprocessed text through lexer, parser, analysis, queries and the JSON dump, all in memory.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "idl/driver/compile.hpp"
#include "idl/model/json.hpp"
#include "idl/model/query.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tenon::idl;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  SourceFiles sources(false);
  sources.set_text(sources.intern("fuzz.idl"), std::string(text));
  Diagnostics diagnostics;
  const auto program = compile_text(text, sources, diagnostics);
  if (diagnostics.has_errors()) {
    render_all(diagnostics, sources, false);
    return 0;
  }
  model::to_json(*program);
  for (const model::Decl* decl : program->roots) {
    model::uses_value_type(decl);
    model::dependencies(decl);
  }
  return 0;
}
