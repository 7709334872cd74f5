// SPDX-License-Identifier: Apache-2.0
//
// Fuzz target: preprocessed text through lexer, parser, analysis, queries, the JSON dump and the C++ back end, all in memory.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "idl/backends/backend.hpp"
#include "idl/driver/compile.hpp"
#include "idl/model/json.hpp"
#include "idl/model/query.hpp"
#include "idl/sema/implied.hpp"

namespace {

using namespace tenon::idl;

struct Silent final : BackendDiagnostics {
  void error(model::Location, std::string) override {}
  void warning(model::Location, std::string) override {}
  void note(model::Location, std::string) override {}
};

// The length of the text chooses the options, so that an input always does the same.
BackendOptions options_for(std::size_t size) {
  BackendOptions options;
  options.base_name = "fuzz";
  options.stubs = static_cast<Stubs>(size % 3);
  options.operations = static_cast<Operations>(size / 3 % 4);
  options.any = size % 2 == 0;
  options.ami = size % 5 < 2;
  if (size % 7 == 0) options.usage = Usage{{{"IDL:I:1.0", "f", 3, 4}}};
  return options;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  SourceFiles sources(false);
  sources.set_text(sources.intern("fuzz.idl"), std::string(text));
  Diagnostics diagnostics;
  const auto program = compile_text(text, sources, diagnostics);
  if (diagnostics.has_errors()) {
    render_all(diagnostics, sources, false);
    return 0;
  }
  const BackendOptions options = options_for(size);
  if (options.ami) add_implied(*program);
  model::to_json(*program);
  for (const model::Decl* decl : program->roots) {
    model::uses_value_type(decl);
    model::dependencies(decl);
  }
  Silent silent;
  const auto backend = make_cpp11_backend();
  backend->emit(*program, options, silent);
  backend->size_report(*program, options, silent);
  return 0;
}
